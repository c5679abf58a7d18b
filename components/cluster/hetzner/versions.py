"""Which k3s a node runs, and which upgrades are allowed: one minor at a time, servers first.

Without add-ons a node runs what it was made with, whatever the settings say by now; it is made anew
only when it is named under ``federation:replace``. With them, nodes that live are upgraded in place
(``add_ons/upgrades.py``) after those that are new have joined, and run what the settings say when
the run has ended.

Source: Kubernetes documentation, "Version Skew Policy"; k3s documentation, "Manual Upgrades".
"""

import re
from collections.abc import Collection, Iterator, Mapping

from components.settings import HetznerCluster


def versions(spec: HetznerCluster, last: Mapping[str, str], replace: str | None) -> dict[str, str]:
    """The version of each node after this run.

    Args:
        spec: the cluster.
        last: the version of each node that exists, by name.
        replace: the node that may change in this run.
    """
    kept = {name: version for name, version in last.items() if name != replace}
    if spec.add_ons:
        kept = {}
    return {node.name: kept.get(node.name, spec.k3s.version) for node in spec.nodes()}


def refused(
    spec: HetznerCluster, last: Mapping[str, str], after: Mapping[str, str], replace: str | None
) -> Iterator[str]:
    """What is wrong with the versions of the nodes that this run changes, if the cluster lives.

    Args:
        spec: the cluster.
        last: the version of each node that exists, by name.
        after: the version of each node after this run.
        replace: the node that may be replaced in this run.
    """
    wanted = spec.k3s.version
    servers = {node.name for node in spec.servers()}
    running = {_minor(version) for name, version in last.items() if name in servers}
    if not running:
        return
    oldest = min(running)
    changed = {name for name, version in after.items() if last.get(name) != version}
    upgraded = {name for name in changed if spec.add_ons and name in last and name != replace}
    if upgraded:
        yield from _upgrade(wanted, oldest, {last[name] for name in upgraded})
    # New nodes join before those that live are upgraded.
    standing = last if spec.add_ons else after
    slowest = min(_minor(standing[name]) for name in servers if name in standing)
    for name in sorted(changed - upgraded):
        allowed = oldest + 1 if name in servers else slowest
        if _minor(wanted) > allowed:
            way = "upgrade them first, in a run of its own" if spec.add_ons else "name them first"
            why = (
                f"servers run v1.{oldest}, and no minor is skipped"
                if name in servers
                else f"servers run v1.{allowed}, and an agent is never newer: {way}"
            )
            yield f"read {wanted} for {name}; allowed v1.{allowed} at most, since {why}"
        if name in last and _minor(wanted) < _minor(last[name]):
            yield f"read {wanted} for {name}; allowed {last[name]} or later: etcd does not go back"


def _upgrade(wanted: str, oldest: int, running: Collection[str]) -> Iterator[str]:
    """What is wrong with an upgrade in place of nodes that run *running*."""
    if _minor(wanted) > oldest + 1:
        yield (
            f"read {wanted}; allowed v1.{oldest + 1} at most, since servers run v1.{oldest}, and "
            "no minor is skipped"
        )
    newest = max(running, key=_parts)
    if _parts(wanted) < _parts(newest):
        yield f"read {wanted}; allowed {newest} or later: what runs does not go back"


def _minor(version: str) -> int:
    return _parts(version)[1]


def _parts(version: str) -> tuple[int, ...]:
    """``v1.36.3+k3s1`` as numbers: major, minor, patch, build."""
    return tuple(int(number) for number in re.findall(r"(?<!k)\d+", version))
