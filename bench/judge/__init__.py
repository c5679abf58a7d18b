"""One judge for every placement: what runs, what it costs and emits, what it breaks.

Owns no way to place. It measures with the project's own parts: whole nodes by ``packing``, rules by
``check``, the terms of a replica by ``score``, losses by ``failure``.
"""
