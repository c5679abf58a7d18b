"""The real Pulumi engine on a project of its own."""

from lab.engine.workspace import CHECKOUT, Workspace

__all__ = ["CHECKOUT", "Workspace"]
