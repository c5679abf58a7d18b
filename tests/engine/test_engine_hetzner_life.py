"""What happens to a cluster on Hetzner Cloud over its life: faults, a server's loss, its end."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pulumi import automation as auto

from tests.doubles import Cloud, cloud
from tests.engine.case import refused
from tests.engine.hetzner import SPEC, Made, changed

ONE = "singapore-control-1"


@pytest.fixture
def sky() -> Iterator[Cloud]:
    """The doubles."""
    with cloud() as served:
        yield served


def _servers(sky: Cloud) -> dict[str, str]:
    return {found["name"]: found["serverType"] for found in sky.hcloud.of("Server")}


def test_a_server_is_replaced_alone_and_joins(sky: Cloud, tmp_path: Path) -> None:
    """Nothing of any other machine is touched, and a rebuilt first server cannot found again."""
    made = Made(tmp_path / "workspace", sky)
    made.stack.up()
    sky.done()
    made.write(changed(lambda spec: spec.update(image="debian-14")), replace=ONE)
    made.stack.up()
    done = sky.done()
    assert {name for _, _, name in done} == {
        ONE,
        f"{ONE}-management",
        f"{ONE}-workload",
        f"{ONE}-enrolment",
    }
    assert {operation for operation, _, _ in done} == {"create", "delete"}
    orders = [json.loads(found["stdin"]) for found in sky.providers["command"].of("Command")]
    told = [(each["mayFound"], len(each["files"])) for each in orders if each["name"] == ONE]
    assert told == [(False, 0)]
    # The key may stay: the next run finds nothing to do.
    made.stack.preview(expect_no_changes=True)


def test_a_run_that_fails_half_way_goes_on(sky: Cloud, tmp_path: Path) -> None:
    """A quota that is reached is said in Hetzner's words; what was made is kept, not made twice."""
    made = Made(tmp_path / "workspace", sky)
    sky.hcloud.fail["singapore-platform-2"] = "server limit reached (resource_limit_exceeded)"
    assert "resource_limit_exceeded" in refused(made.stack.up)
    before = sky.done()
    assert ("create", "Server", ONE) in before
    made.stack.up()
    after = sky.done()
    assert ("create", "Server", "singapore-platform-2") in after
    assert {operation for operation, _, _ in after} == {"create"}
    assert not {entry[2] for entry in before if entry[1] == "Server"} & {
        entry[2] for entry in after if entry[1] == "Server"
    }
    made.stack.preview(expect_no_changes=True)


def test_a_first_run_that_failed_goes_on_with_what_it_has(sky: Cloud, tmp_path: Path) -> None:
    """Servers that it made keep their type, though none like them can be ordered any more."""
    made = Made(tmp_path / "workspace", sky)
    sky.hcloud.fail["singapore-platform-2"] = "server type is sold out (resource_unavailable)"
    assert "resource_unavailable" in refused(made.stack.up)
    there = _servers(sky)
    sky.hetzner.sold_out = {"sin": {"cpx32", "ccx13"}}
    made.stack.up()
    assert _servers(sky) == {**there, "singapore-platform-2": "cpx22"}
    made.stack.preview(expect_no_changes=True)


def test_a_cluster_is_not_deleted_by_another_name(sky: Cloud, tmp_path: Path) -> None:
    """Nor by another maker: it must be named, once."""
    made = Made(tmp_path / "workspace", sky)
    made.stack.up()
    sky.done()
    another = changed(lambda spec: spec.update(name="manila"))
    existing = {"maker": "existing", "name": "manila", "provider": "any", "region": "any"}
    elsewhere = {**existing, "continent": "asia", "jurisdiction": "ph", "asOf": "2026-11-30"}
    for spec in (another, elsewhere):
        made.write(spec)
        text = " ".join(refused(made.stack.preview).split())
        assert "federation:carrier: read no cluster singapore, which this stack made" in text
        assert "federation:replace: singapore, which deletes it whole" in text
    assert sky.done() == []
    made.write(another, replace="singapore")
    made.stack.up()
    names = {found["name"] for found in sky.hcloud.of("Server")}
    assert {name.split("-")[0] for name in names} == {"manila"}
    # The word holds once: it names nothing any more.
    assert "read 'singapore'; allowed one of manila-control-1" in refused(made.stack.preview)


def test_servers_of_another_schema_are_not_taken_for_none(sky: Cloud, tmp_path: Path) -> None:
    """What an unknown version published of a cluster that lives is no reason to found it again."""
    made = Made(tmp_path / "workspace", sky)
    made.stack.up()
    state = made.stack.export_stack()
    for resource in (state.deployment or {})["resources"]:
        if resource["type"] == "pulumi:pulumi:Stack":
            resource["outputs"]["servers"]["schema"] = "federation/servers/v9"
    made.stack.import_stack(state)
    text = refused(made.stack.preview)
    assert "published servers of schema 'federation/servers/v9'; this version reads" in text


def test_the_type_of_a_server_is_chosen_once(sky: Cloud, tmp_path: Path) -> None:
    """The first that can be ordered is taken and stays, though another is to be had later."""
    sky.hetzner.sold_out = {"sin": {"cpx32"}}
    made = Made(tmp_path / "workspace", sky)
    made.stack.up()
    chosen = _servers(sky)
    assert chosen[ONE] == "ccx13"
    assert chosen["singapore-platform-1"] == "cpx22"
    sky.hetzner.sold_out = {"sin": {"ccx13", "cpx22"}}
    made.stack.preview(expect_no_changes=True)
    made.write(changed(lambda spec: spec["pools"][0].update(count=3)))
    made.stack.up()
    assert _servers(sky) == {**chosen, "singapore-platform-3": "cpx32"}

    made.write(SPEC, replace=ONE)
    made.stack.up()
    assert _servers(sky)[ONE] == "cpx32"


def test_sold_out_types_are_named_with_the_next_best(sky: Cloud, tmp_path: Path) -> None:
    """Nothing is ordered, and the message names types that can be, with their price."""
    sky.hetzner.sold_out = {"sin": {"cpx32", "ccx13"}}
    made = Made(tmp_path / "workspace", sky)
    text = refused(made.stack.preview)
    assert "config.federation:carrier.cluster.controlPlane.serverTypes: read cpx32, ccx13" in text
    assert "none of which can be ordered in sin now (for singapore-control-1)" in text
    assert "price unknown" in text


def test_a_control_plane_does_not_shrink(sky: Cloud, tmp_path: Path) -> None:
    """Two of five servers gone at once would leave etcd without a spare."""
    made = Made(tmp_path / "workspace", sky)
    made.write(changed(lambda spec: spec["controlPlane"].update(servers=5)))
    made.stack.up()
    made.write(SPEC)
    assert "read 3, where 5 run; allowed 5 or more" in refused(made.stack.preview)


def test_a_token_in_clear_is_refused(sky: Cloud, tmp_path: Path) -> None:
    """A token that lies in a file of the repository is no secret any more."""
    made = Made(tmp_path / "workspace", sky)
    made.stack.set_config("hcloud:token", auto.ConfigValue("in-clear", secret=False))
    text = refused(made.stack.preview)
    assert "config.hcloud:token: read in clear; allowed as a secret alone" in text
    assert "in-clear" not in text


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            "unable to authenticate (unauthorized, 1)",
            "config.hcloud:token: read a token that Hetzner Cloud refuses; allowed one of the",
        ),
        ("dial tcp: i/o timeout", "Hetzner Cloud does not answer: "),
    ],
    ids=["wrong-token", "no-answer"],
)
def test_what_the_api_refuses_is_said_plainly(
    sky: Cloud, tmp_path: Path, said: str, words: str
) -> None:
    """Nothing is declared, no traceback is shown, and the token is not."""
    sky.hetzner.broken = said
    made = Made(tmp_path / "workspace", sky)
    text = " ".join(refused(made.stack.up).split())
    assert words in text
    assert "planted-hcloud-token" not in text
    assert sky.done() == []


def test_destroy_leaves_nothing(sky: Cloud, tmp_path: Path) -> None:
    """Attachments go before servers, servers before networks."""
    made = Made(tmp_path / "workspace", sky)
    made.stack.up()
    for double in sky.providers.values():
        double.log.clear()
    made.stack.destroy()
    assert not any(double.resources for double in sky.providers.values())
    order = [kind for _, kind, _ in sky.hcloud.log]
    assert order.index("Server") > order.index("ServerNetwork")
    assert order.index("Network") > len(order) - 1 - order[::-1].index("Server")


def test_a_broken_server_is_rebuilt_on_demand(sky: Cloud, tmp_path: Path) -> None:
    """With nothing changed, by the engine's own option: that server, and what hangs on it."""
    made = Made(tmp_path / "workspace", sky)
    made.stack.up()
    sky.done()
    resources = (made.stack.export_stack().deployment or {})["resources"]
    urn = next(found["urn"] for found in resources if found["urn"].endswith(f"Server::{ONE}"))
    made.stack.up(replace=[urn])
    assert {name.removeprefix(ONE) for _, _, name in sky.done()} == {
        "",
        "-management",
        "-workload",
        "-enrolment",
    }
    made.stack.preview(expect_no_changes=True)
