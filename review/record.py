"""A stack without its secrets, to review changes where no secret may be: a fork's pull request.

Owns the record (``federation/recorded/v1``): the states of a stack and of those that it reads, in
which every secret is replaced, and the throw-away project and backend in which a review then runs
on them. The program and the previews are the same; no cluster, backend or passphrase is needed.
"""

import contextlib
import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml
from pulumi import automation as auto

from placement.document import Document
from placement.faults import BadInputError, Fault, Location
from policies.values import SECRET, SIGNATURE
from review.engine import UserStack

SCHEMA: Final = "federation/recorded/v1"

_SALT: Final = re.compile(r"(?m)^(encryptionsalt|secretsprovider|encryptedkey):.*$")

NOWHERE: Final = yaml.safe_dump(
    {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "nowhere",
        "contexts": [{"name": "nowhere", "context": {"cluster": "nowhere", "user": "nobody"}}],
        "clusters": [{"name": "nowhere", "cluster": {"server": "https://127.0.0.1:1"}}],
        "users": [{"name": "nobody", "user": {}}],
    }
)
"""What stands for every secret: a kubeconfig of a cluster that is nowhere, without a credential.
The provider takes it, so that all else of a preview is as with the real one."""


def record(name: str, stack: UserStack) -> str:
    """Return the record of *stack* and of the stacks that it reads, as JSON text.

    Raises:
        BadInputError: there is no such stack.
        FederationError: a state cannot be read.
    """
    states = {each: stack.state(each) for each in (name, *stack.referenced())}
    stacks = {
        each: {"version": state.version, "deployment": without_secrets(state.deployment or {})}
        for each, state in states.items()
    }
    return json.dumps({"schema": SCHEMA, "stacks": stacks}, indent=1, sort_keys=True) + "\n"


@contextlib.contextmanager
def recorded(name: str, file: Path) -> Iterator[Mapping[str, str]]:
    """Be in a throw-away copy of the project of the present folder, on the states of a record.

    Args:
        name: the stack that is to be reviewed.
        file: the record.

    Yields:
        What the CLI's environment needs besides.

    Raises:
        BadInputError: the record cannot be read or has no such stack, or the stack's settings hold
            secrets, which only its passphrase opens.
    """
    stacks = _read(name, file)
    settings = _settings(name)
    with tempfile.TemporaryDirectory(prefix="review-") as folder:
        project, home, backend = (Path(folder) / part for part in ("project", "home", "backend"))
        for part in (project, home, backend):
            part.mkdir()
        for entry in Path.cwd().iterdir():
            if not re.fullmatch(r"Pulumi\..+\.yaml", entry.name):
                (project / entry.name).symlink_to(entry)
        user = Path(os.environ.get("PULUMI_HOME", Path.home() / ".pulumi"))
        plugins = user.absolute() / "plugins"
        plugins.mkdir(parents=True, exist_ok=True)
        (home / "plugins").symlink_to(plugins)
        environment = {
            "PULUMI_HOME": str(home),
            "PULUMI_BACKEND_URL": f"file://{backend}",
            "PULUMI_CONFIG_PASSPHRASE": "of a copy without secrets",
        }
        (project / f"Pulumi.{name}.yaml").write_text(settings, "utf-8")
        with contextlib.chdir(project):
            workspace = auto.LocalWorkspace(
                work_dir=str(project), env_vars=environment, secrets_provider="passphrase"
            )
            for each, state in sorted(stacks.items()):
                made = auto.Stack.create(each, workspace)
                made.import_stack(_encrypted(state, workspace.stack_settings(each)))
            yield environment


def _encrypted(state: Mapping[str, Any], settings: auto.StackSettings) -> auto.Deployment:
    """A recorded state, as one whose secrets the new stack's passphrase opens."""
    salt = {"salt": settings.encryption_salt}
    providers = {"secrets_providers": {"type": "passphrase", "state": salt}}
    return auto.Deployment(state["version"], {**state["deployment"], **providers})


def _read(name: str, file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        message = f"{error}; allowed what `python -m review record` wrote"
        raise BadInputError(Fault(str(file), 0, "(file)", message)) from None
    schema = content.get("schema") if isinstance(content, dict) else None
    if schema != SCHEMA:
        raise BadInputError(Fault(str(file), 0, "schema", f"read {schema!r}; allowed {SCHEMA!r}"))
    stacks: dict[str, Any] = content["stacks"]
    if name not in stacks:
        allowed = ", ".join(sorted(stacks))
        raise BadInputError(Fault(str(file), 0, "stacks", f"read no {name}; allowed {allowed}"))
    return stacks


def _settings(name: str) -> str:
    """The stack's file, line by line as it is but for what belongs to its passphrase."""
    path = Path(f"Pulumi.{name}.yaml")
    if not path.exists():
        return ""
    document = Document(path)
    message = "read a secret; allowed settings in clear for a review on a record"
    if wrong := [document.fault(place, message) for place in _secure(document.plain)]:
        raise BadInputError(*wrong)
    return _SALT.sub(r"# \1", path.read_text("utf-8"))


def _secure(value: Any, place: Location = ()) -> Iterator[Location]:
    """Where secrets stand in a stack's file, however it is laid out."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _secure(item, (*place, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            if key == "secure":
                yield (*place, key)
            else:
                yield from _secure(item, (*place, key))


def without_secrets(value: Any) -> Any:
    """A state, or a part of one, with every secret replaced and its shape kept."""
    if isinstance(value, list):
        return [without_secrets(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get(SIGNATURE) == SECRET:
        plain = json.loads(value.get("plaintext", "null"))
        return {SIGNATURE: SECRET, "plaintext": json.dumps(_blank(plain))}
    return {key: without_secrets(item) for key, item in value.items() if key != "secrets_providers"}


def _blank(value: Any, key: str = "") -> Any:
    """A secret's shape, with nothing of what it says but the schema that it follows."""
    if isinstance(value, dict):
        return {name: _blank(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_blank(item) for item in value]
    if isinstance(value, str) and key != "schema":
        return NOWHERE
    return value if isinstance(value, str) or value is None else type(value)()
