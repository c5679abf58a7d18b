"""Everything that an API server holds, by name: to see what a member leaves behind.

Owns what is left out: what comes and goes by itself.
"""

from collections.abc import Iterable

from lab.kubernetes.client import Api

Item = tuple[str, str, str]
"""Kind, namespace and name; the namespace is empty for objects of the whole cluster."""

_PASSING = frozenset({"Event", "EndpointSlice", "Endpoints"})


def inventory(api: Api) -> frozenset[Item]:
    """Every object of every kind that can be listed."""
    return frozenset(
        (kind, item["metadata"].get("namespace", ""), item["metadata"]["name"])
        for version, kind in api.kinds()
        if kind not in _PASSING
        for item in api.list(version, kind)
    )


def shown(items: Iterable[Item]) -> list[str]:
    """*items* as people read them."""
    return sorted(
        f"{kind} {space}/{name}" if space else f"{kind} {name}" for kind, space, name in items
    )
