"""What a lab remembers: read back whole, or refused with a reason."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lab.processes import state
from lab.processes.state import Running, State
from lab.shape import Shape
from placement.faults import FederationError

ETCD = Running("etcd", 4711, 1764514000.25, (2379, 2380), ("/bin/etcd", "--name=lab"))
SHAPE = Shape("1.18.2", ("a", "b"), bare=True, high_availability=True, estimators=True)
KNOWN = State("default", {"etcd": 2379, "etcd-peer": 2380}, (ETCD,), SHAPE, ("etcd",))


def test_a_saved_state_is_loaded_as_it_was(tmp_path: Path) -> None:
    """What is saved is loaded again, to the last digit of a start time."""
    file = tmp_path / "state.json"
    state.save(KNOWN, file)
    assert state.load(file) == KNOWN


def test_no_file_is_no_state(tmp_path: Path) -> None:
    """A lab that never was has no state, and that is no error."""
    assert state.load(tmp_path / "state.json") is None


def test_another_schema_is_refused_by_its_name(tmp_path: Path) -> None:
    """A state of another version is never guessed at; the message names both versions."""
    file = tmp_path / "state.json"
    file.write_text('{"schema": "federation/lab/v9"}', "utf-8")
    with pytest.raises(FederationError, match=r"federation/lab/v9.*federation/lab/v3"):
        state.load(file)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": "federation/lab/v3"}'])
def test_a_damaged_file_is_refused(tmp_path: Path, text: str) -> None:
    """A file that is cut off or is something else is a message with its name, not a traceback."""
    file = tmp_path / "state.json"
    file.write_text(text, "utf-8")
    with pytest.raises(FederationError, match=r"state\.json: it is damaged"):
        state.load(file)


def test_a_crash_while_saving_leaves_the_old_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file holds the old state whole until the new one is written to the last byte."""
    file = tmp_path / "state.json"
    state.save(KNOWN, file)

    def crash(*_: object, **__: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(json, "dump", crash)
    with pytest.raises(OSError, match="no space left"):
        state.save(KNOWN.without("etcd"), file)
    assert state.load(file) == KNOWN


def test_a_restarted_process_takes_the_place_of_its_forerunner() -> None:
    """A name stands once in a state, with the newest pid."""
    again = replace(ETCD, pid=4712)
    assert KNOWN.with_process(again).processes == (again,)
    assert KNOWN.without("etcd").process("etcd") is None
