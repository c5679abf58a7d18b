"""Which of the lab's pinned tools are there, for tests that run the real ones."""

import pytest

from lab.tools import catalogue, find

FULL_MEMBER = (
    "pulumi",
    "pulumi-resource-kubernetes",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "kwok",
)
"""What the engine needs for a stack on a member that runs pods."""


def missing(*names: str) -> list[str]:
    """Those of the tools *names* that are neither built nor on the PATH."""
    return [name for name in names if find.find(catalogue.tool(name)) is None]


def skip_without(*names: str) -> None:
    """Skip the test where one of the tools *names* is not there."""
    if lacking := missing(*names):
        pytest.skip(f"not built: {', '.join(lacking)} (run `make all-tools`)")
