"""What a stack may say of a cluster on Hetzner Cloud, and how it is refused."""

import pytest

from tests.unit.cluster.clusters import Plain, cluster, faults, pool

REFUSED: dict[str, tuple[Plain, str]] = {
    "new-york": (
        {"locations": ["newyork"]},
        (
            "locations.0: read 'newyork': Hetzner Cloud has no location in New York; allowed ash "
            "(Ashburn) as its stand-in, or maker existing for a cluster in New York itself"
        ),
    ),
    "unknown": (
        {"locations": ["mars1"]},
        (
            "locations.0: read 'mars1'; allowed fsn1 (Falkenstein), nbg1 (Nuremberg), "
            "hel1 (Helsinki), ash (Ashburn), hil (Hillsboro), sin (Singapore)"
        ),
    ),
    "two-zones": (
        {"locations": ["nbg1", "ash"]},
        (
            ": read locations nbg1 (eu-central), ash (us-east); allowed different ones of one "
            "network zone, since a private network reaches no further"
        ),
    ),
    "overlap": (
        {"addresses": {"services": "10.42.128.0/20"}},
        (
            "addresses: read pods 10.42.0.0/16 and services 10.42.128.0/20, which overlap; "
            "allowed ranges apart from each other"
        ),
    ),
    "too-narrow": (
        {"addresses": {"pods": "10.42.0.0/20"}},
        "addresses: read pods 10.42.0.0/20; allowed a prefix of at most /17",
    ),
    "public-range": (
        {"addresses": {"workload": "8.8.0.0/16"}},
        "addresses.workload: read '8.8.0.0/16'; allowed a private range, such as one in 10.0.0.0/8",
    ),
    "everybody": (
        {"administration": ["0.0.0.0/0"]},
        (
            "administration.0: read '0.0.0.0/0', which is everybody; allowed the ranges that your "
            "runs come from"
        ),
    ),
    "one-server": (
        {"controlPlane": {"servers": 1, "serverTypes": ["cpx32"]}},
        (
            "controlPlane.servers: read 1; allowed 3 or 5: etcd needs a majority, so an even "
            "number survives no more losses than one server less, and one survives none"
        ),
    ),
    "unknown-type": (
        {"controlPlane": {"serverTypes": ["cx99"]}},
        (
            "controlPlane.serverTypes.0: read 'cx99'; allowed cx23, cx33, cx43, cx53, cax11, "
            "cax21, cax31, cax41, cpx12, cpx22, cpx32, cpx42, cpx52, cpx62, ccx13, ccx23, ccx33"
        ),
    ),
    "no-checksum": (
        {"k3s": {"version": "v1.36.3+k3s1", "sha256": {"arm64": "b" * 64}}},
        (
            ": read server type cpx32, which is amd64, and no k3s.sha256.amd64; allowed with "
            "the checksum that sha256sum-amd64.txt of the release names"
        ),
    ),
    "attachments": (
        {"pools": [pool("many", 97)]},
        (
            ": read 100 nodes; allowed 99: a network of Hetzner Cloud takes 100 attachments, "
            "and the load balancer is one. Make a second cluster"
        ),
    ),
    "groups": (
        {"pools": [pool(f"p{index}", 1) for index in range(50)]},
        (
            ": read pools that need 51 placement groups; allowed 50, the limit of a project: fewer "
            "and larger pools"
        ),
    ),
    "pool-twice": (
        {"pools": [pool("same", 1), pool("same", 1)]},
        ": read pools same more than once; allowed each once",
    ),
    "pool-control": (
        {"pools": [pool("control", 1)]},
        "pools.0.name: read 'control', which is the control plane; allowed another name",
    ),
    "maker": (
        {"maker": "aws"},
        ": read 'aws' as 'maker'; allowed 'existing', 'hetzner'",
    ),
    "unknown-key": (
        {"location": "nbg1"},
        (
            "location: unknown key, did you mean locations?; allowed addOns, addresses, "
            "administration, controlPlane, image, k3s, locations, maker, name, pools"
        ),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_settings_name_the_way_out(name: str) -> None:
    """Each fault says what was read, what is allowed, and why where that is not plain."""
    changes, expected = REFUSED[name]
    assert faults(**changes) == [expected]


def test_the_most_that_a_network_takes_is_accepted() -> None:
    """99 nodes and a load balancer are 100 attachments."""
    assert len(cluster(pools=[pool("many", 96)]).nodes()) == 99


def test_nodes_are_dealt_over_the_locations() -> None:
    """Three servers over three locations stand in one each; their region is the network zone."""
    made = cluster(locations=["fsn1", "nbg1", "hel1"])
    assert [node.location for node in made.servers()] == ["fsn1", "nbg1", "hel1"]
    assert made.region == "eu-central"
    assert cluster().region == "nbg1"


def test_pools_that_come_and_go_change_no_other_node() -> None:
    """A node is what it is by its own pool and its place in it."""
    before = cluster(pools=[pool("a", 2), pool("b", 3)])
    after = cluster(pools=[pool("b", 5), pool("c", 1)])
    kept = {node.name: node for node in after.nodes()}
    for node in before.nodes():
        assert node.pool == "a" or kept[node.name] == node
