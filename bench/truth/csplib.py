"""CSPLib prob034, warehouse location: five warehouses, ten stores, optimum 383.

Source: B. Hnich, CSPLib problem 034, https://www.csplib.org/Problems/prob034, read 2026-08.
"""

from decimal import Decimal

from bench.truth.location import Problem

OPTIMUM = 383

_SERVING = (
    (20, 24, 11, 25, 30),
    (28, 27, 82, 83, 74),
    (74, 97, 71, 96, 70),
    (2, 55, 73, 69, 61),
    (46, 96, 59, 83, 4),
    (42, 22, 29, 67, 59),
    (1, 5, 73, 59, 56),
    (10, 73, 13, 43, 96),
    (93, 35, 63, 85, 46),
    (47, 65, 55, 71, 95),
)

PROBLEM = Problem(
    name="CSPLib prob034",
    capacity=(1, 4, 2, 1, 3),
    fixed=(Decimal(30),) * 5,
    demand=(1,) * 10,
    serving=[[Decimal(cost) for cost in row] for row in _SERVING],
)
