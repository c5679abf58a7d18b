"""Predicted against billed: what the facts of a federation said that nodes cost, and the bill.

Owns the comparison by cluster, region and node type. Bills are read by ``facts/formats/focus.py``;
nothing here changes a price: a user who sees an error mends the fact.
"""
