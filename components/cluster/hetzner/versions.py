"""Which k3s a node runs, and which upgrades are allowed: one minor at a time, servers first.

A node runs what it was made with, whatever the settings say by now; it is made anew only when it is
named under ``federation:replace``.

Source: Kubernetes documentation, "Version Skew Policy"; k3s documentation, "Manual Upgrades".
"""

from collections.abc import Iterator, Mapping

from components.settings import HetznerCluster


def versions(spec: HetznerCluster, last: Mapping[str, str], replace: str | None) -> dict[str, str]:
    """The version of each node after this run.

    Args:
        spec: the cluster.
        last: the version of each node that exists, by name.
        replace: the node that may change in this run.
    """
    kept = {name: version for name, version in last.items() if name != replace}
    return {node.name: kept.get(node.name, spec.k3s.version) for node in spec.nodes()}


def refused(
    spec: HetznerCluster, last: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[str]:
    """What is wrong with the versions of the nodes that this run makes, if the cluster lives."""
    wanted = spec.k3s.version
    servers = {node.name for node in spec.servers()}
    running = {_minor(version) for name, version in last.items() if name in servers}
    if not running:
        return
    oldest = min(running)
    made = [name for name, version in after.items() if last.get(name) != version]
    for name in made:
        allowed = oldest + 1 if name in servers else min(_minor(after[each]) for each in servers)
        if _minor(wanted) > allowed:
            why = (
                f"servers run v1.{oldest}, and no minor is skipped"
                if name in servers
                else f"servers run v1.{allowed}, and an agent is never newer: name them first"
            )
            yield f"read {wanted} for {name}; allowed v1.{allowed} at most, since {why}"
        if name in last and _minor(wanted) < _minor(last[name]):
            yield f"read {wanted} for {name}; allowed {last[name]} or later: etcd does not go back"


def _minor(version: str) -> int:
    return int(version.split(".")[1])
