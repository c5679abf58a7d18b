"""Federation files that are right load; those that are wrong say where, and what is allowed."""

from pathlib import Path

import pytest

from placement.faults import BadInputError, ExitCode
from placement.federation import load

HERE = Path(__file__).parent
FIXTURES = HERE / "fixtures"
VALID = sorted(FIXTURES.glob("valid/*.yaml"))
INVALID = sorted(FIXTURES.glob("invalid/*.yaml"))


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_valid_file_loads(path: Path) -> None:
    """Each valid fixture becomes a federation."""
    assert load(path).clusters


@pytest.mark.parametrize("path", INVALID, ids=lambda path: path.stem)
def test_invalid_file_is_refused_with_every_fault(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The faults of each invalid fixture are the lines beside it, all of them and no others."""
    monkeypatch.chdir(path.parent)
    with pytest.raises(BadInputError) as caught:
        load(Path(path.name))
    assert str(caught.value) + "\n" == path.with_suffix(".faults").read_text(encoding="utf-8")
    assert caught.value.exit_code == ExitCode.BAD_INPUT


def test_every_invalid_file_has_its_faults_beside() -> None:
    """No fixture is left without its lines, and no lines without a fixture."""
    lines = {path.stem for path in FIXTURES.glob("invalid/*.faults")}
    assert lines == {path.stem for path in INVALID}
