"""Ports: no two alike, none of another lab, and the holder of a taken one is named."""

import os
import socket

import pytest

from lab.processes import ports
from placement.faults import FederationError


def test_free_ports_are_distinct() -> None:
    """Each name gets a port of its own, which nobody listens on."""
    chosen = ports.free([f"p{index}" for index in range(20)], taken=())
    assert len(set(chosen.values())) == 20
    ports.check_free(chosen.values())


def test_no_outgoing_connection_can_take_a_chosen_port() -> None:
    """They are none of those that the system gives away by itself."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        given = listener.getsockname()[1]
    assert max(ports.free(["a", "b"], taken=()).values()) < 1 << 15 < given


def test_too_few_free_ports_are_said_so() -> None:
    """The message says how many were wanted, and where they were looked for."""
    with pytest.raises(FederationError, match="fewer than 1 ports from 16384 to 32767 are free"):
        ports.free(["a"], taken=range(1 << 16))


def test_ports_of_other_labs_are_not_chosen() -> None:
    """A port that another lab keeps is passed over, though nobody listens on it now."""
    everything_but = {port for port in range(1024, 65536) if port % 7}
    chosen = ports.free(["a", "b"], taken=everything_but)
    assert all(port % 7 == 0 for port in chosen.values())


def test_fixed_ports_count_from_the_base() -> None:
    """A base gives the names consecutive ports in their order."""
    assert ports.fixed(["etcd", "karmada"], 21000) == {"etcd": 21000, "karmada": 21001}


def test_a_taken_port_is_told_with_its_holder() -> None:
    """The message names the port and, where it may be known, the process that listens there."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        with pytest.raises(FederationError, match=rf"port {port} is in use by pid {os.getpid()} "):
            ports.check_free([port])
    ports.check_free([port])
