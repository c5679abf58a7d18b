"""Two thousand broken federation and stack files: each fault is named, nothing falls over."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from components.settings import StackSettings
from placement.document import Document, describe
from placement.faults import BadInputError, FederationError
from placement.federation import Federation, load
from placement.plan import plan

# ruff: noqa: S311 - the numbers make files, no secrets

pytestmark = pytest.mark.prove

ROOT = Path(__file__).parents[2]
FEDERATION = ROOT / "examples" / "global.yaml"
STACKS = tuple(sorted(ROOT.glob("Pulumi.*.yaml")))
FAULT = re.compile(r"^\S.*?(:\d+)? \S.*: .*(allowed|unknown key|should|must|valid)", re.ASCII)
"""``FILE:LINE key: read X; allowed Y``, or in pydantic's words what the value should be."""

_EXTREMES: tuple[Any, ...] = (
    None, True, 0, -1, 1, 10**30, 1.5, -0.0, float("nan"), float("inf"), "", " ", "a", "A" * 300,
    "1e999", "-1", "500m", "٣", "\u202e", "\x00", "é", "2026-13-45", "2026-08-14", [], {}, [[]],
    [None], {"a": 1}, {"min": 3, "max": 1}, {"min": "x"}, [1, "x"],
)  # fmt: skip


def _places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a nested value."""
    children = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list)
        else ()
    )  # fmt: skip
    return [at, *(place for key, child in children for place in _places(child, (*at, key)))]


def _holder(value: Any, place: tuple[Any, ...]) -> Any:
    for key in place[:-1]:
        value = value[key]
    return value


def _value_changed(random: Random, text: str) -> str:
    """One to three values dropped, replaced, nested, renamed or doubled."""
    content = yaml.load(text, yaml.CSafeLoader)
    for _ in range(random.randint(1, 3)):
        places = _places(content)[1:]
        if not places:
            break
        place = random.choice(places)
        holder, key = _holder(content, place), place[-1]
        kind = random.randrange(5)
        if kind == 0:
            del holder[key]
        elif kind == 1:
            holder[key] = random.choice(_EXTREMES)
        elif kind == 2:
            holder[key] = [holder[key]]
        elif kind == 3 and isinstance(holder, dict):
            new = random.choice([f"{key}x", str(key).upper(), "é", "a.b", "x\ny", ""])
            holder[new] = holder.pop(key)
        elif isinstance(holder, list):
            holder.append(holder[key])
    return str(yaml.dump(content, Dumper=yaml.CSafeDumper, allow_unicode=random.random() < 0.5))


def _cut(random: Random, text: str) -> str:
    """The text up to somewhere."""
    return text[: random.randrange(len(text))]


def _characters(random: Random, text: str) -> str:
    """A few characters replaced by ones that YAML reads in a way of its own."""
    letters = list(text)
    for _ in range(random.randint(1, 4)):
        letters[random.randrange(len(letters))] = random.choice("\t\n:-[]{}&*!|>'\"%@`,#?é\x07 0")
    return "".join(letters)


def _feature(random: Random, text: str) -> str:
    """Something of YAML that no federation file needs, at the start or the end of a line."""
    lines = text.splitlines()
    at = random.randrange(len(lines))
    added = random.choice(
        [
            "<<: *nowhere", "&a [*a]", "x: &x {y: *x}", "? [a, b]\n: c", "!!python/object:os.x {}",
            "!!binary aGk=", "---", "...", "1: 2", "~: 1", "a: !!set {b}", "b: 2026-02-30",
            "c: 0x" + "f" * 5000, "d: " + "9" * 5000, "e: 1:30", "[" * 900, "{a: " * 500,
            "z: &z [1]\ny: [*z, *z]", "%YAML 9.9", "d: !!timestamp x", "f: .nan", "g: -.inf",
            "clusters: []", "apiVersion: federation/v1alpha1",
        ]
    )  # fmt: skip
    indent = " " * random.choice([0, 0, 2, 4])
    lines.insert(at, "\n".join(indent + line for line in added.splitlines()))
    return "\n".join(lines)


_MUTATIONS: tuple[Callable[[Random, str], str], ...] = (
    _value_changed,
    _value_changed,
    _value_changed,
    _cut,
    _characters,
    _feature,
)


def _write(random: Random, source: Path, path: Path) -> None:
    text = random.choice(_MUTATIONS)(random, source.read_text(encoding="utf-8"))
    data = bytearray(text.encode("utf-8", errors="surrogatepass"))
    if data and random.random() < 0.1:
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    path.write_bytes(data)


@pytest.mark.parametrize("batch", range(15))
def test_broken_federation_files(batch: int, tmp_path: Path) -> None:
    """Each of 1,500 ends in a federation or in faults with file, key and what is allowed."""
    random = Random(batch)
    path = tmp_path / "federation.yaml"
    (tmp_path / "manifests").symlink_to(FEDERATION.parent / "manifests")
    for number in range(100):
        _write(random, FEDERATION, path)
        try:
            federation = load(path)
        except BadInputError as error:
            _readable(error, str(path), f"{batch}/{number}")
        else:
            _decides(federation, random)


@pytest.mark.parametrize("batch", range(5))
def test_broken_stack_files(batch: int, tmp_path: Path) -> None:
    """Each of 500 ends in settings or in faults with file, key and what is allowed."""
    random = Random(100 + batch)
    path = tmp_path / "Pulumi.stack.yaml"
    for number in range(100):
        _write(random, random.choice(STACKS), path)
        try:
            document = Document(path)
            config = document.plain.get("config")
            values = {
                str(key).removeprefix("federation:"): value
                for key, value in (config if isinstance(config, dict) else {}).items()
            }
            StackSettings.model_validate(values)
        except ValidationError as error:
            faults = [
                document.fault(("config", f"federation:{where[0]}", *where[1:]), message)
                if where
                else document.fault(("config",), message)
                for where, message in describe(error, StackSettings)
            ]
            _readable(BadInputError(*faults), str(path), f"{batch}/{number}")
        except BadInputError as error:
            _readable(error, str(path), f"{batch}/{number}")


def _readable(error: BadInputError, file: str, label: str) -> None:
    assert error.faults, label
    for fault in error.faults:
        line = str(fault)
        assert line.startswith(file), f"{label}: {line}"
        assert "\n" not in line, f"{label}: {line!r}"
        assert fault.key, f"{label}: {line}"
        assert "Traceback" not in line, f"{label}: {line}"
        assert len(line) < len(file) + 1500, f"{label}: {line}"
        assert FAULT.match(line), f"{label}: {line}"
        line.encode()


def _decides(federation: Federation, random: Random) -> None:
    """A decision on a few of the workloads, or a message."""
    few = tuple(random.sample(federation.workloads, min(3, len(federation.workloads))))
    try:
        plan(federation.model_copy(update={"workloads": few}), effort=1)
    except FederationError as error:
        _said(error)


def _said(error: FederationError) -> None:
    assert str(error)
