"""A pull request's life: reviewed, applied exactly as reviewed, or refused. On the real engine."""

import json
from typing import Any

import pytest
import yaml

from placement.faults import ExitCode
from tests.engine.case import Case, changes, cluster, manifest, refused, spec, workload
from tests.engine.reviewing import NOW, golden, needs_pack, reviewed
from tests.engine.test_engine_secrets import TOKEN, files_with, kubeconfig, planted
from tests.policies.analyzed import PACK

pytestmark = needs_pack

PASSWORD = "planted-password-77aa"
FACT = {"source": "a test", "date": "2026-11-01"}


def facts(*names: str, east: str = "0.10") -> dict[str, Any]:
    """What cost, latency and carbon need to be known of clusters; the price of east is given."""
    amounts = {"east": east, "west": "0.12", "late": "0.14"}
    prices = [
        {
            "cluster": name,
            "nodeClass": "node",
            "amount": amounts[name],
            "currency": "EUR",
            "vat": "net",
            "per": "hour",
            **FACT,
            **({"proxy": "a larger node of the same series"} if name == "late" else {}),
        }
        for name in names
    ]
    prices[0]["date"] = "2026-06-15"
    regions = [f"region-{name}" for name in names]
    trips = {a: {b: "5" if a == b else "90" for b in regions} for a in regions}
    intensity = [
        {"region": region, "gramsPerKilowattHour": "200", "basis": "average", **FACT}
        for region in regions
    ]
    power = [{"resource": r, "watts": "3", **FACT} for r in ("cpu", "memory")]
    return {
        "prices": prices,
        "latency": {
            "statistic": "mean",
            "sites": {region: {"site": region} for region in regions},
            "roundTrip": trips,
            **FACT,
        },
        "carbon": {"intensity": intensity, "power": power},
        "objective": {"lexicographic": [{"term": "cost"}]},
    }


def users(name: str, replicas: int = 4, **changes: Any) -> dict[str, Any]:
    """A workload whose users are in the regions of east and west."""
    demand = [{"region": f"region-{where}", "share": 50} for where in ("east", "west")]
    return workload(name, replicas, demand=demand, **changes)


def before(case: Case) -> None:
    """The federation file of the main branch."""
    api = {**users("api"), "class": "critical"}
    case.write(
        users("web"),
        api,
        workload("report", weights={}),
        clusters=[cluster("east"), cluster("west")],
        **facts("east", "west"),
    )


def after(case: Case) -> None:
    """That of the pull request.

    It moves replicas, raises a price, gives up the spread of a critical workload, adds a cluster.
    """
    api = {**users("api"), "class": "critical", "acceptSingleContinent": True}
    api["weights"] = {"east": 1}
    web = users("web", 6, weights={"west": 1, "late": 2})
    case.write(
        web,
        api,
        workload("report", weights={}),
        clusters=[cluster("east"), cluster("west"), cluster("late")],
        **facts("east", "west", "late", east="0.15"),
    )


def test_a_pull_request(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """The digest says what the change does; `up --plan` applies that, and nothing else.

    A program that changed since is refused; afterwards there is nothing to review.
    """
    before(case)
    stack = case.stack()
    stack.up()
    after(case)
    plan, cost = case.folder / "plan.json", case.folder / "infracost.json"
    arguments = ("--stack", "federation", "--now", NOW)
    found = reviewed(case, monkeypatch, *arguments, "--plan", str(plan), "--infracost", str(cost))
    assert found.text == golden("review.md").read_text("utf-8")
    assert found.code == ExitCode.CHANGES
    assert found.document["outcome"] == "changes"
    totals = {t["term"]: t for t in found.document["comparison"]["totals"]}
    difference = float(json.loads(cost.read_text("utf-8"))["diffTotalMonthlyCost"])
    assert difference == pytest.approx(totals["cost"]["after"] - totals["cost"]["before"], abs=0.02)

    standing = {name: spec(item) for name, item in case.server.objects(case.namespace).items()}
    case.write(workload("web", 5))
    assert "violates plan" in refused(lambda: stack.up(plan=str(plan)))
    now = {name: spec(item) for name, item in case.server.objects(case.namespace).items()}
    assert now == standing

    after(case)
    applied = changes(stack.up(plan=str(plan)))
    counted = {c["operation"] for c in found.document["changes"]}
    assert applied.keys() - {"same"} == counted
    assert case.decision().counts == {
        f"{case.namespace}/web": {"west": 2, "late": 4},
        f"{case.namespace}/api": {"east": 4},
        f"{case.namespace}/report": {"west": 4},
    }
    again = reviewed(case, monkeypatch, *arguments)
    assert (again.code, again.document["outcome"]) == (ExitCode.DONE, "no change")
    assert again.document["comparison"]["moves"] == []


def test_request_77_no_secret_of_any_kind_is_seen(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted in settings, published outputs, a manifest and an error, in none is it seen.

    Neither text, JSON, Infracost's form, log, record nor plan holds one, and no file of the backend
    does. The manifest's, which is in clear, is a violation.
    """
    text = kubeconfig(case, token=TOKEN)
    case.workspace.set_secret("tokyo", "federation:kubeconfig", text)
    case.stack("tokyo").up()
    stack = case.stack()
    case.workspace.set_secret("federation", "example:token", PASSWORD)
    secrets = [*planted(text), PASSWORD]
    content = manifest("Deployment", "cache", case.namespace, 4)
    variable = {"name": "DB_PASSWORD", "value": PASSWORD}
    content["spec"]["template"]["spec"]["containers"][0]["env"] = [variable]
    (case.file.parent / "cache.yaml").write_text(yaml.safe_dump(content), "utf-8")
    plan, cost = case.folder / "plan.json", case.folder / "infracost.json"
    files = ("--plan", str(plan), "--infracost", str(cost))
    stack.up()
    said = [reviewed(case, monkeypatch, "record", "--stack", "federation")]

    case.write(workload("cache", manifest="cache.yaml"))
    said.append(reviewed(case, monkeypatch, "--stack", "federation", *files))
    assert said[-1].code == ExitCode.INFEASIBLE
    assert [v["code"] for v in said[-1].document["violations"]] == ["FED006"]
    assert said[-1].document["comparison"]["moves"]  # the rest of the digest is whole

    case.write(workload("web"))

    async def broken() -> None:
        raise RuntimeError(f"cannot use {TOKEN}, {PASSWORD} or {secrets[2]}")

    with monkeypatch.context() as patch:
        patch.setattr("review.engine.build", broken)
        said.append(reviewed(case, monkeypatch, "--stack", "federation", *files))
    assert said[-1].code == ExitCode.FAILURE
    assert "cannot use [secret], [secret] or [secret]" in said[-1].text

    (case.file.parent / "cache.yaml").unlink()
    shown = [each.text + each.log + json.dumps(each.document) for each in said]
    assert [each for each in shown if any(secret in each for secret in secrets)] == []
    assert files_with(case.folder, secrets) == []


def test_what_cannot_be_reviewed_says_why(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """An infeasible file, bad input, no such stack, no pack, a wrong passphrase: each is told."""
    case.stack()
    case.write(workload("web", request={"cpu": "100", "memory": "1Gi"}))
    found = reviewed(case, monkeypatch, "--stack", "federation")
    assert (found.code, found.document["outcome"]) == (ExitCode.INFEASIBLE, "infeasible")
    assert "no placement meets the requirements" in found.text

    case.write(workload("web", replica=3))
    found = reviewed(case, monkeypatch, "--stack", "federation")
    assert (found.code, found.document["outcome"]) == (ExitCode.BAD_INPUT, "bad input")
    assert "did you mean replicas?" in found.text

    found = reviewed(case, monkeypatch, "--stack", "nobody")
    assert found.code == ExitCode.BAD_INPUT
    assert "--stack (name): read 'nobody'; allowed a stack of this project" in found.log

    pack = case.folder / "policies" / "pack"
    pack.parent.mkdir()
    pack.write_bytes(PACK.read_bytes())
    pack.chmod(0o755)
    with monkeypatch.context() as patch:
        patch.setattr("review.engine.PACK", pack)
        found = reviewed(case, monkeypatch, "--stack", "federation")
    assert found.code == ExitCode.FAILURE
    assert "the policy pack has no environment yet: run `make policies`" in found.log

    case.workspace.environment["PULUMI_CONFIG_PASSPHRASE"] = "another"
    found = reviewed(case, monkeypatch, "--stack", "federation")
    assert found.code == ExitCode.FAILURE
    assert "incorrect passphrase" in found.log
