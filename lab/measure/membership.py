"""``python -m lab.measure.membership``: two planes join, change credentials, and leave, measured.

Owns the steps and ``docs/measured/membership.json``. Everything is done as a user does it, by
settings and ``python -m stacks``, on the stack files that the project ships; what a cluster does by
itself, such as presenting another certificate or dying, the lab does. Leaves nothing running.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import yaml

from components.settings import ComputeSettings
from components.settings.membership import MemberSettings
from lab.engine import CHECKOUT
from lab.karmada import installation
from lab.kubernetes.waiting import NotYetError, wait
from lab.lifecycle import Lab
from lab.measure import record
from lab.measure.credentials import Overlap, change_token
from lab.measure.inventory import Item, inventory, shown
from lab.measure.planes import Planes
from lab.measure.rehearsal import BOTH, NEWYORK, NUREMBERG, STACKS, Rehearsal
from placement import console
from placement.faults import BadInputError, ExitCode, Fault, FederationError

OUTPUT = record.FOLDER / "membership.json"

_MORE = {6: 12, 12: 18, 18: 12}
"""Replicas to go on to."""

_FIRST = ("joined", "placed")
"""Steps without which there is nothing to look at."""

_PATIENCE = 60
"""Seconds in which a status is to come that cannot; with the hand-over it takes a few."""

_PARTS = ("kwok", "scheduler", "controllers", "apiserver")
Result = dict[str, Any]


@click.command()
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=OUTPUT,
    help="Where the result goes.  [default: docs/measured/membership.json]",
)
@click.option("--only", help="Steps with commas between them; joined and placed are always done.")
def main(output: Path, only: str | None) -> ExitCode:
    """Rehearse the life of two compute planes. Needs KARMADA_DIR; exit code 1 where a step fails.

    Takes about ten minutes and 4 GiB of memory.
    """
    wanted = only.split(",") if only else list(STEPS)
    if unknown := set(wanted) - set(STEPS):
        message = f"read {', '.join(sorted(unknown))}; allowed of {', '.join(STEPS)}"
        raise BadInputError(Fault("lab.measure.membership", 0, "--only", message))
    real = installation.required()
    with tempfile.TemporaryDirectory(prefix="federation-membership-") as folder:
        root = Path(folder)
        file = root / "federation.yaml"
        file.write_text(yaml.safe_dump(_clusters(), sort_keys=False), "utf-8")
        with Lab(root, "membership") as lab:
            lab.up(file, members="all", joined=False, report=click.echo)
            case = Rehearsal(lab, file, Planes(root / "pulumi", lab, list(STACKS)))
            for name, step in STEPS.items():
                if name in (*_FIRST, *wanted):
                    begun = time.monotonic()
                    found = step(case)
                    click.echo(f"{time.monotonic() - begun:6.1f} s  {name}: {found}")
                    record.write(output, name, {**record.run(real.version), **found})
    click.echo(f"written: {output}")
    return ExitCode.DONE


def _clusters() -> Result:
    """The members of the lab, as the shipped stack files have them."""
    own = {"maker", *MemberSettings.model_fields}
    clusters = []
    for stack in STACKS:
        content = yaml.safe_load((CHECKOUT / f"Pulumi.{stack}.yaml").read_text("utf-8"))
        settings = ComputeSettings.model_validate(content["config"]["federation:compute"])
        clusters += [
            cluster.model_dump(mode="json", by_alias=True, exclude=own)
            for cluster in settings.clusters
        ]
    return {
        "apiVersion": "federation/v1alpha1",
        "objective": {"lexicographic": [{"term": "fit"}]},
        "clusters": clusters,
    }


def joined(case: Rehearsal) -> Result:
    """Both planes come up, and their clusters join."""
    for stack, cluster in STACKS.items():
        case.planes.give_kubeconfig(stack, cluster, case.lab.kubeconfig(cluster))
    case.planes.run("up", "tokyo")
    seconds = case.planes.run("up", *STACKS)
    begun = time.monotonic()
    case.wait_ready(*STACKS.values())
    return {
        "command": f"python -m stacks up {' '.join(STACKS)}",
        "seconds": seconds,
        "readyWithCompleteApisAfterSeconds": _since(begun),
    }


def placed(case: Rehearsal) -> Result:
    """A workload is decided for both, and runs so."""
    case.apply(case.replicas)
    case.write(BOTH)
    seconds = case.planes.run("up", "federation")
    begun = time.monotonic()
    case.settled(case.divided)
    return {"seconds": seconds, "asDecidedAfterSeconds": _since(begun), "ready": case.statuses()}


def token_rotated(case: Rehearsal) -> Result:
    """Another word: another token, the controllers begin anew, the old token is refused."""
    old, leader = case.credential(NEWYORK, "token"), case.leader()
    with Overlap(case, NEWYORK, old) as overlap:
        seconds = case.rotate("newyork", "another")
    return {
        "setting": "federation:rotate",
        "seconds": seconds,
        "oldTokenHeldUntilControllersHadBegunAnew": overlap.held,
        "oldTokenRefusedAfterSeconds": _refused(case, NEWYORK, old),
        "newTokenHolds": case.accepts(NEWYORK, case.credential(NEWYORK, "token")),
        "otherLeader": case.leader() != leader,
        "memberReady": case.ready(NEWYORK),
        **_scaled(case),
    }


def authority_rotated(case: Rehearsal) -> Result:
    """The member's servers get a certificate of another authority, and Karmada follows."""
    before = case.credential(NEWYORK, "caBundle").strip()
    steps: dict[str, Result] = {}
    for _ in range(3):
        step = case.lab.advance_authority(NEWYORK)
        case.restart(NEWYORK, "scheduler", "kwok")
        steps[step] = {}
        if step != "presented":
            case.planes.give_kubeconfig("newyork", NEWYORK, case.lab.kubeconfig(NEWYORK))
            steps[step]["seconds"] = case.rotate("newyork", f"authority-{step}")
        case.wait_ready(NEWYORK)
        steps[step] |= _scaled(case)
    return {
        "settings": "federation:kubeconfigs, federation:rotate",
        "steps": steps,
        "oldAuthorityTrustedAfterwards": before in case.credential(NEWYORK, "caBundle"),
        "memberReady": case.ready(NEWYORK),
    }


def rebuilt(case: Rehearsal) -> Result:
    """Three commands; the workload is ready elsewhere meanwhile, and comes back."""
    case.write(BOTH)
    case.planes.run("up", "federation")
    case.settled(case.divided)
    down = case.planes.run("down", "newyork")
    begun = time.monotonic()
    case.settled({NUREMBERG: case.replicas})
    elsewhere = _since(begun)
    up = case.planes.run("up", "newyork")
    case.wait_ready(NEWYORK)
    case.planes.write(
        "federation",
        lambda config: config["federation:federation"].update({"rebalance": "newyork-rebuilt"}),
    )
    back = case.planes.run("up", "federation")
    case.settled(case.divided)
    return {
        "commands": ["destroy newyork", "up newyork", "up federation (another rebalance)"],
        "seconds": [down, up, back],
        "allReadyElsewhereAfterSeconds": elsewhere,
        "ready": case.statuses(),
    }


def removed_alive(case: Rehearsal) -> Result:
    """Emptied by the decision, then destroyed: nothing is left on either side."""
    case.planes.write("newyork", lambda config: _cluster(config).update({"drained": True}))
    case.write({NUREMBERG: 1})
    drained = case.planes.run("up", "newyork", "federation")
    case.settled({NUREMBERG: case.replicas})
    case.write({NUREMBERG: 1}, ["nuremberg"])
    case.planes.run("up", "federation")
    down = case.planes.run("down", "newyork")
    left = [item for item in inventory(case.lab.api(NEWYORK)) if _of_karmada(item)]
    return {
        "drainSeconds": drained,
        "downSeconds": down,
        "leftOnKarmada": _left(case, NEWYORK),
        "leftInMember": shown(left),
    }


def without_hand_over(case: Rehearsal) -> Result:
    """Why the controllers must begin anew: a token changed by hand, as a member that is dead."""
    case.planes.write("newyork", lambda config: _cluster(config).pop("drained", None))
    case.planes.run("up", "newyork")
    case.wait_ready(NEWYORK)
    case.write(BOTH)
    case.planes.run("up", "federation")
    case.settled(case.divided)
    change_token(case, NUREMBERG)
    # A watch outlives its token until its connection ends.
    case.restart(NUREMBERG, "apiserver")
    case.wait_ready(NUREMBERG)
    case.apply(_MORE[case.replicas])
    try:
        case.settled(case.divided, _PATIENCE)
    except FederationError:
        came = False
    else:
        came = True
    return {
        "memberReady": case.ready(NUREMBERG),
        f"statusCameWithin{_PATIENCE}Seconds": came,
        "wanted": case.divided,
        "ready": case.statuses(),
    }


def removed_dead(case: Rehearsal) -> Result:
    """A member that is gone for good: no finalizer hangs, and nothing is left on Karmada."""
    for part in _PARTS:
        case.lab.kill(f"member-{NUREMBERG}-{part}")

    def noticed() -> None:
        if case.ready(NUREMBERG) == "True":
            raise NotYetError("the member counts as ready")

    wait(noticed, 120, "Karmada does not notice")
    case.planes.write("nuremberg", lambda config: _cluster(config).update({"lost": True}))
    case.write({NEWYORK: 1})
    up = case.planes.run("up", "nuremberg", "federation")
    case.settled({NEWYORK: case.replicas})
    case.write({NEWYORK: 1}, ["newyork"])
    case.planes.run("up", "federation")
    down = case.planes.run("down", "nuremberg")
    return {
        "setting": "lost: true",
        "seconds": up,
        "downSeconds": down,
        "leftOnKarmada": _left(case, NUREMBERG),
        "ready": case.statuses(),
    }


STEPS: dict[str, Callable[[Rehearsal], Result]] = {
    "joined": joined,
    "placed": placed,
    "tokenRotated": token_rotated,
    "authorityRotated": authority_rotated,
    "rebuilt": rebuilt,
    "removedAlive": removed_alive,
    "withoutHandOver": without_hand_over,
    "removedDead": removed_dead,
}


def _refused(case: Rehearsal, cluster: str, token: str) -> float:
    """The seconds until a member no longer knows *token*; it remembers one for ten."""
    begun = time.monotonic()

    def look() -> None:
        if case.accepts(cluster, token):
            raise NotYetError("it holds")

    wait(look, 30, "the old token holds")
    return _since(begun)


def _scaled(case: Rehearsal) -> Result:
    seconds = case.scale(_MORE[case.replicas])
    return {"scaledAfterSeconds": seconds, "ready": case.statuses()}


def _cluster(config: Result) -> Result:
    """The one cluster in the settings of a compute stack."""
    cluster: Result = config["federation:compute"]["clusters"][0]
    return cluster


def _left(case: Rehearsal, cluster: str) -> list[str]:
    """What bears the name of *cluster* on the Karmada API."""
    return shown([item for item in inventory(case.lab.api()) if any(cluster in p for p in item)])


def _of_karmada(item: Item) -> bool:
    """Whether an object in a member is there for the federation's sake."""
    return any("karmada" in part or part == "shop" for part in item)


def _since(begun: float) -> float:
    return round(time.monotonic() - begun, 1)


if __name__ == "__main__":
    console.run(main, "lab.measure.membership")
