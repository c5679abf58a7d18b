"""``python -m stacks orphans``, with the real CLI, its real states, and a double of the API."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doubles import Cloud, cloud
from tests.doubles import hetzner_api as shapes
from tests.doubles.hetzner_api import Api, Plain, api
from tests.engine.hetzner import Made

NOW = "2026-11-30"


@pytest.fixture
def sky() -> Iterator[Cloud]:
    """The doubles of the providers."""
    with cloud() as served:
        yield served


@pytest.fixture
def project() -> Iterator[Api]:
    """The double of the API."""
    with api() as served:
        yield served


def _orphans(
    made: Made, project: Api, *arguments: str, token: str | None = None
) -> subprocess.CompletedProcess[str]:
    environment = {
        **made.workspace.shell,
        "HCLOUD_TOKEN": token or project.token,
        "HCLOUD_ENDPOINT": project.endpoint,
    }
    # States are compared as they are stored: nothing in them is decrypted.
    del environment["PULUMI_CONFIG_PASSPHRASE"]
    return subprocess.run(
        [sys.executable, "-m", "stacks", "orphans", "--now", NOW, *arguments],
        cwd=made.workspace.project,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def _in_the_cloud(sky: Cloud) -> dict[str, list[Plain]]:
    """What the provider's double made, as the API would show it."""
    found: dict[str, list[Plain]] = {name: [] for name in shapes.PLURALS}
    for (token, number), inputs in sky.hcloud.resources.items():
        identity, name, labels = number, inputs.get("name", ""), inputs.get("labels", {})
        match token.rsplit(":", 1)[-1]:
            case "Server":
                kind = inputs["serverType"]
                found["servers"].append(shapes.server(int(identity), name, kind=kind, **labels))
            case "LoadBalancer":
                found["load_balancers"].append(shapes.load_balancer(int(identity), name, **labels))
            case "Network":
                found["networks"].append(shapes.network(int(identity), name, **labels))
            case "PlacementGroup":
                group = shapes.placement_group(int(identity), name, **labels)
                found["placement_groups"].append(group)
    return found


def test_what_no_stack_knows_is_found(sky: Cloud, project: Api, tmp_path: Path) -> None:
    """A cluster that lives has none, what an autoscaler adds is one, what outlives it are all."""
    made = Made(tmp_path / "workspace", sky)
    made.stack.up()
    project.things = _in_the_cloud(sky)
    kept = sum(len(found) for found in project.things.values())
    assert kept > 10
    done = _orphans(made, project)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("none: ")
    assert "reading the state of singapore" in done.stderr

    workload = next(
        each["id"] for each in project.things["networks"] if each["name"].endswith("workload")
    )
    project.things["servers"].append(
        shapes.server(1, "burst-1", workload, kind="cpx22", **{"hcloud/node-group": "burst"})
    )
    project.things["primary_ips"].append(shapes.primary_ip(2, "primary_ip-2", on=1))
    project.things["servers"].append(shapes.server(3, "of-somebody-else"))
    done = _orphans(made, project, "--json")
    assert done.returncode == 2, done.stdout + done.stderr
    shown = json.loads(done.stdout)
    assert [(each["name"], each["knownBy"]) for each in shown["orphans"]] == [
        ("burst-1", "network singapore-workload of stack singapore, made by an autoscaler"),
        ("primary_ip-2", "server burst-1"),
    ]
    assert shown["total"]["amount"] == "20.49"

    made.stack.destroy()
    done = _orphans(made, project, "--json")
    assert done.returncode == 2, done.stdout + done.stderr
    assert len(json.loads(done.stdout)["orphans"]) == kept + 2
    table = _orphans(made, project)
    assert table.returncode == 2
    row = r"server cpx32 +fsn1 +28 d +35.99 +label federation/cluster=singapore"
    assert re.search(rf"^singapore-control-1 +{row} *$", table.stdout, re.MULTILINE)
    assert "215.42 EUR a month net, price list of " in table.stdout
    assert project.token not in table.stdout + table.stderr

    wrong = _orphans(made, project, token="another-token")
    assert wrong.returncode == 4
    assert re.fullmatch(
        r"reading .*\nenvironment HCLOUD_TOKEN: read a token that .*\n", wrong.stderr
    )
