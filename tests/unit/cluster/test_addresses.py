"""The address plan of a cluster."""

import ipaddress

from hypothesis import given, settings
from hypothesis import strategies as st

from components.cluster.hetzner.addresses import AddressPlan, plan
from components.settings.hetzner import AddressRanges

Network = ipaddress.IPv4Network


@st.composite
def ranges(draw: st.DrawFn) -> AddressRanges:
    """Ranges that the settings accept: parts of 10.0.0.0/8 apart from each other."""
    slots = draw(st.permutations(range(8)))
    blocks = list(Network("10.0.0.0/8").subnets(new_prefix=11))
    sizes = {"management": (11, 23), "workload": (11, 23), "pods": (11, 17), "services": (11, 24)}
    chosen = {}
    for slot, (name, (widest, narrowest)) in zip(slots, sizes.items(), strict=False):
        prefix = draw(st.integers(widest, narrowest))
        index = draw(st.integers(0, 2 ** (prefix - 11) - 1))
        start = blocks[slot].network_address + index * 2 ** (32 - prefix)
        chosen[name] = f"{start}/{prefix}"
    return AddressRanges.model_validate(chosen)


def fixed(found: AddressPlan) -> list[str]:
    """Every address that the plan fixes."""
    return [found.management.balancer, found.workload.balancer, *found.servers]


@settings(max_examples=200, derandomize=True, deadline=None)
@given(ranges(), st.sampled_from((3, 5)))
def test_subnets_are_apart_and_inside_their_range(given_: AddressRanges, servers: int) -> None:
    """No two subnets overlap, and each lies in the range of its network."""
    found = plan(given_, servers)
    subnets = []
    for network in (found.management, found.workload):
        for text in (network.planned, network.handed):
            assert Network(text).subnet_of(Network(network.range))
            subnets.append(Network(text))
    others = [Network(found.pods), Network(found.services)]
    every = subnets + others
    assert not any(a.overlaps(b) for i, a in enumerate(every) for b in every[i + 1 :])
    assert ipaddress.IPv4Address(found.dns) in Network(found.services)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(ranges(), st.sampled_from((3, 5)))
def test_fixed_addresses_are_free_to_take(given_: AddressRanges, servers: int) -> None:
    """They differ, lie where Hetzner hands none out, and are neither a gateway nor a broadcast."""
    found = plan(given_, servers)
    assert len(set(fixed(found))) == servers + 2
    for address, network in (
        (found.workload.balancer, found.workload),
        *((text, found.management) for text in (found.management.balancer, *found.servers)),
    ):
        subnet = Network(network.planned)
        value = ipaddress.IPv4Address(address)
        assert value in subnet
        assert value not in Network(network.handed)
        # Hetzner keeps the first address of a network for its gateway.
        assert value not in (subnet[0], subnet[1], subnet[-1])


@settings(max_examples=100, derandomize=True, deadline=None)
@given(ranges())
def test_more_servers_move_no_address(given_: AddressRanges) -> None:
    """What stands keeps its address when the control plane grows."""
    three, five = plan(given_, 3), plan(given_, 5)
    assert five.servers[:3] == three.servers
    assert (five.management, five.workload) == (three.management, three.workload)


def test_management_and_workload_share_no_network() -> None:
    """The default ranges make two networks, and no address of one is in the other."""
    found = plan(AddressRanges(), 5)
    management, workload = Network(found.management.range), Network(found.workload.range)
    assert not management.overlaps(workload)
    assert all(ipaddress.IPv4Address(server) not in workload for server in found.servers)
