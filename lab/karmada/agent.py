"""karmada-agent of a member in pull mode, as a process of the lab.

In a lab nothing runs what a pod says: KWOK calls every pod running. So the lab reads what the
project has put into the member, the flags in the agent's Deployment and the kubeconfig in its
Secret, and runs the program with them, as the ServiceAccount of the pod. Its own are where it
listens and how soon it notices things.
"""

import base64
import hashlib
import shutil
from pathlib import Path
from typing import Any

import yaml

from components.compute.membership.agent import NAME, NAMESPACE, SECRET
from lab.karmada.components import UNTHROTTLED, Timing
from lab.karmada.installation import Installation
from lab.kubernetes.client import Api
from lab.kubernetes.pki import write_private
from lab.processes.control import Process
from lab.site import HOST, Site
from placement.faults import FederationError

_SECONDS = 24 * 3600
"""How long its token of the member holds: longer than a lab that somebody looks at."""


def port(member: str) -> str:
    """What the port of the agent of *member* is for."""
    return f"{NAME}/{member}"


def process(site: Site, installation: Installation, member: str, api: Api) -> Process:
    """The agent of *member* as its Deployment says; another kubeconfig makes another process.

    Raises:
        FederationError: there is no such Deployment, or no program to run.
    """
    installation.need([NAME], "a member in pull mode")
    deployment = api.get("apps/v1", "Deployment", NAME, NAMESPACE)
    secret = api.get("v1", "Secret", SECRET, NAMESPACE)
    if deployment is None or secret is None:
        raise FederationError(
            f"{member} has no Deployment {NAMESPACE}/{NAME}: bring up its stack with membership: "
            "pull first"
        )
    pod = deployment["spec"]["template"]["spec"]
    content = base64.b64decode(secret["data"][SECRET])
    name = f"member-{member}-agent"
    folder = site.folder / "agent"
    folder.mkdir(mode=0o700, exist_ok=True)
    karmada = folder / f"{member}-{hashlib.sha256(content).hexdigest()[:8]}.yaml"
    write_private(karmada, content)
    own = folder / f"{member}.yaml"
    token = api.token(pod["serviceAccountName"], NAMESPACE, _SECONDS)
    write_private(own, _as_pod(site.kubeconfig(member), token))
    health, timing = site.ports[port(member)], Timing()
    flags = {
        **dict(flag.split("=", 1) for flag in pod["containers"][0]["command"][1:]),
        "--karmada-kubeconfig": str(karmada),
        "--metrics-bind-address": "0",
        "--health-probe-bind-address": f"{HOST}:{health}",
        "--cluster-status-update-frequency": f"{timing.status}s",
        "--cluster-success-threshold": f"{timing.success}s",
        "--cluster-failure-threshold": f"{timing.failure}s",
    }
    argv = (
        shutil.which("env") or "env",
        f"KUBECONFIG={own}",
        str(installation.program(NAME)),
        *(f"{flag}={value}" for flag, value in flags.items()),
        *UNTHROTTLED,
    )
    return Process(name, argv, (health,), f"http://{HOST}:{health}/healthz")


def _as_pod(administrator: Path, token: str) -> bytes:
    """The kubeconfig of an administrator, with *token* in the place of who that is."""
    content: dict[str, Any] = yaml.safe_load(administrator.read_text("utf-8"))
    users = [{"name": entry["name"], "user": {"token": token}} for entry in content["users"]]
    return yaml.safe_dump({**content, "users": users}).encode()
