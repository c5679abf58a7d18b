"""Facts of the outside world, from the files in which they are published.

Owns the way from a publisher's file to a part of a federation file: formats are read into rows
(``formats/``, ``rows.py``), bases are not mixed (``basis.py``), what is missing is a labelled proxy
or unknown (``places.py``, ``pricing.py``), and what is old is warned of (``freshness.py``). Files
in, text out: nothing here opens a connection or reads a clock.
"""
