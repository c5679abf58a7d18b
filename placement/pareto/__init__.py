"""What one term of the objective costs in another: the Pareto front between two of them."""

from placement.pareto.front import Point, front
from placement.pareto.table import document, show

__all__ = ["Point", "document", "front", "show"]
