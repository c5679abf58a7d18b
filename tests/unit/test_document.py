"""What is wrong with a file is said with file, line and key, before any model has seen it."""

from pathlib import Path

import pytest

from placement.document import Document
from placement.faults import BadInputError
from placement.federation.base import Model
from placement.federation.facts import Exchange


def _faults(path: Path, content: str | bytes) -> list[str]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadInputError) as caught:
        Document(path)
    return [f"{fault.line} {fault.key}: {fault.message}" for fault in caught.value.faults]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that a test writes."""
    return tmp_path / "file.yaml"


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("a: [*a]\n", "1 (file): found undefined alias; allowed valid YAML"),
        ("a: 1\na: 2\n", "2 a: read a second time; allowed once"),
        ("a:\n  b: {c: 1, d: 2, c: 3}\n", "2 a.b.c: read a second time; allowed once"),
        ("1: a\n", "1 (file): read the key 1; allowed text keys"),
        ("a: {? [x] : 1}\n", "1 a: read the key a mapping or list; allowed text keys"),
        ("a: !!binary aGk=\n", "1 a: read a bytes; allowed plain values"),
        ("a: !!set {b}\n", "1 a: read a tag:yaml.org,2002:set; allowed plain values"),
        ("a: !!timestamp x\n", "1 a: read no tag:yaml.org,2002:timestamp; allowed a plain value"),
        (f"a: 0x{'f' * 5000}\n", "1 a: read a number of over 1000 bits; allowed fewer"),
        ("a: 1\n---\nb: 2\n", "2 (file): but found another document; allowed valid YAML"),
        ("a: \x07\n", None),
        ("[" * 5000, None),
    ],
)
def test_what_yaml_would_let_pass(path: Path, content: str, fault: str | None) -> None:
    """Keys given twice, keys that are no text, tags, numbers and documents without end."""
    found = _faults(path, content)
    assert fault is None or found == [fault]


def test_every_repeated_key_is_named(path: Path) -> None:
    """Two keys given twice are two faults."""
    assert len(_faults(path, "a: 1\nb: {c: 1, c: 2}\na: 3\n")) == 2


def test_aliases_that_multiply(path: Path) -> None:
    """Nine levels of nine aliases are a few lines, and end in a message and not in memory."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 9)]
    (fault,) = _faults(path, "\n".join(lines))
    assert fault.endswith("read aliases without end; allowed finite data")


def test_what_is_no_file(tmp_path: Path) -> None:
    """An absent file and a folder are named with the system's own words."""
    for path, words in ((tmp_path / "absent", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(BadInputError, match=words):
            Document(path)


def test_a_file_too_large(path: Path) -> None:
    """Over 16 MiB nothing is read."""
    with path.open("wb") as file:
        file.truncate(17 * 2**20)
    with pytest.raises(BadInputError, match="allowed fewer"):
        Document(path)


def test_a_fault_at_a_missing_key_stands_at_what_lacks_it(path: Path) -> None:
    """The line is that of the nearest key above."""
    path.write_text("a:\n  - b: 1\n  - c: 1\n", encoding="utf-8")
    fault = Document(path).fault(("a", 1, "b"), "missing")
    assert (fault.line, fault.key) == (3, "a[1].b")


def test_a_key_that_cannot_be_printed_stays_on_one_line(path: Path) -> None:
    """A line break in a key does not break the fault."""
    path.write_text('"x\\ny": 1\n', encoding="utf-8")
    fault = Document(path).fault(("x\ny",), "unknown key")
    assert "\n" not in str(fault)


def test_keys_are_those_of_the_file(path: Path) -> None:
    """The Python name of a key is no second spelling, and an alias is the only one."""
    path.write_text("from_: USD\nto: EUR\nrate: 1\nsource: x\ndate: 2026-08-14\n", encoding="utf-8")
    with pytest.raises(BadInputError, match="from_: unknown key, did you mean from"):
        Document(path).validate(Exchange)


def test_part_of_a_file(path: Path) -> None:
    """Validated below a key, a fault names the whole path."""

    class Small(Model):
        count: int

    path.write_text("top:\n  part: {count: x}\n", encoding="utf-8")
    with pytest.raises(BadInputError) as caught:
        Document(path).validate(Small, "top", "part")
    assert str(caught.value) == f"{path}:2 top.part.count: read 'x'; allowed a whole number"
