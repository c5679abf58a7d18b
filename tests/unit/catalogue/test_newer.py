"""Newer versions: what repositories on 127.0.0.1 publish, against the catalogue."""

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from components.catalogue import Entry, entry
from components.catalogue import __main__ as command
from components.catalogue.entry import FILE, Catalogue
from components.catalogue.newer import pin, standings
from placement.faults import ExitCode
from tests.unit.catalogue.publisher import Publisher

PINNED, OTHER = "a" * 64, "b" * 64


@pytest.mark.parametrize(
    ("listed", "newest", "newer"),
    [
        (["1.2.0", "1.1.9"], "1.2.0", False),
        (["1.10.0", "1.2.0", "1.9.0"], "1.10.0", True),
        (["2.0.0-rc.1", "1.2.0"], "1.2.0", False),
        (["v1.3.0", "1.2.0", "nonsense"], "v1.3.0", True),
    ],
)
def test_newer_is_the_highest_release(
    publisher: Publisher, listed: list[str], newest: str, newer: bool
) -> None:
    """Versions are compared as versions, with and without a v; candidates are no releases."""
    (found,) = standings([publisher.chart(*({"version": each} for each in listed))])
    assert (found.newest, found.newer, found.fault) == (newest, newer, None)


def test_a_version_published_anew_is_a_fault(publisher: Publisher) -> None:
    """Where the repository's digest of the pinned version is another one, it says so."""
    listed = {"version": "1.2.0", "digest": OTHER}
    (same,) = standings([publisher.chart(listed, digest=OTHER)])
    (changed,) = standings([publisher.chart(listed, digest=PINNED)])
    assert same.fault is None
    assert changed.fault == "republished: its digest has changed"


def test_a_version_that_is_gone_is_a_fault(publisher: Publisher) -> None:
    """Where the repository does not list the pinned version, a run could not load it.

    One whose archive has an address of its own is loaded from there.
    """
    listed = {"version": "1.3.0"}
    (gone,) = standings([publisher.chart(listed)])
    (kept,) = standings([publisher.chart(listed, archive="https://example.invalid/it.tgz")])
    assert gone.fault == "1.2.0 is not listed any more"
    assert (kept.fault, kept.newer) == (None, True)


def test_manifests_have_tags(publisher: Publisher) -> None:
    """The tags of the repository that a manifest's address names are read, page after page."""
    path = "/repos/rancher/system-upgrade-controller/tags?per_page=100"
    publisher.answers[path] = json.dumps([{"name": "nightly"}, {"name": "v0.9.0"}])
    publisher.links[path] = f'<{publisher.address}/second>; rel="next"'
    publisher.answers["/second"] = json.dumps([{"name": "v0.21.0"}])
    (found,) = standings([entry("system-upgrade-controller")], publisher.address)
    assert (found.newest, found.newer, found.fault) == ("v0.21.0", True, None)


def test_one_that_cannot_be_read_stops_no_other(publisher: Publisher) -> None:
    """A repository that is away, or answers no, is a fault of its own entries alone."""
    well = publisher.chart({"version": "1.2.0"})
    away = well.model_copy(update={"repository": "http://127.0.0.1:9"})
    refusing = well.model_copy(update={"repository": f"{publisher.address}/elsewhere"})
    found = list(standings([away, refusing, well]))
    assert found[0].fault == "http://127.0.0.1:9/index.yaml cannot be reached (ConnectionError)"
    assert found[1].fault == f"{publisher.address}/elsewhere/index.yaml answers 404 Not Found"
    assert found[2].fault is None


@pytest.mark.parametrize("text", ["<html>Sign in</html>", "{", "[]"])
def test_what_a_proxy_says_in_its_place_is_a_fault(publisher: Publisher, text: str) -> None:
    """A page in place of an index or of tags is named, and ends nothing."""
    chart = publisher.chart({"version": "1.2.0"})
    path = "/repos/rancher/system-upgrade-controller/tags?per_page=100"
    publisher.answers["/index.yaml"] = publisher.answers[path] = text
    entries = [chart, entry("system-upgrade-controller")]
    first, second = standings(entries, publisher.address)
    assert first.fault == f"{publisher.address}/index.yaml is no index of charts"
    expected = "lists no release of it" if text == "[]" else "is no list of tags"
    assert second.fault == f"{publisher.address}{path} {expected}"


def test_pinning_writes_what_is_missing_and_nothing_else(
    publisher: Publisher, tmp_path: Path
) -> None:
    """Each digest stands below its entry's version, comments stay, and the file reads as before."""
    file = tmp_path / "catalogue.yaml"
    text = FILE.read_text("utf-8")
    before = Catalogue.model_validate(yaml.safe_load(text), by_alias=True, by_name=False)
    file.write_text(text, "utf-8")
    lacking = publisher.chart({"version": "1.2.0", "digest": OTHER})
    assert pin(file, standings([lacking])) == ["longhorn"]
    after = Catalogue.model_validate(yaml.safe_load(file.read_text("utf-8")), by_alias=True)
    assert {e.name: e.digest for e in after.entries} == {
        e.name: OTHER if e.name == "longhorn" else e.digest for e in before.entries
    }
    written = file.read_text("utf-8").splitlines()
    assert [line for line in written if line not in text.splitlines()] == [f"    digest: {OTHER}"]
    assert not pin(file, standings([lacking.model_copy(update={"digest": OTHER})]))


def _run(monkeypatch: pytest.MonkeyPatch, entries: list[Entry], *arguments: str) -> Result:
    monkeypatch.setattr(command, "catalogue", lambda: Catalogue(entries=tuple(entries), images={}))
    return CliRunner().invoke(command.main, ["charts", *arguments], standalone_mode=False)


def test_exit_codes_tell_what_was_found(
    publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """0 where nothing is newer, 2 where something is, 1 where something could not be read."""
    current = publisher.chart({"version": "1.2.0"})
    assert _run(monkeypatch, [current]).return_value == ExitCode.DONE
    newer = publisher.chart({"version": "1.2.0"}, {"version": "1.3.0"})
    assert _run(monkeypatch, [newer]).return_value == ExitCode.CHANGES
    away = newer.model_copy(update={"name": "away", "repository": "http://127.0.0.1:9"})
    result = _run(monkeypatch, [newer, away])
    assert result.return_value == ExitCode.FAILURE
    assert (
        "away: http://127.0.0.1:9/index.yaml cannot be reached (ConnectionError)" in result.output
    )


def test_machines_read_the_same(publisher: Publisher, monkeypatch: pytest.MonkeyPatch) -> None:
    """``--json`` has a row for each entry, and nothing but JSON on the standard output."""
    newer = publisher.chart({"version": "1.3.0"}, {"version": "1.2.0", "digest": OTHER})
    (row,) = json.loads(_run(monkeypatch, [newer], "--json").stdout)
    assert row == {
        "name": "longhorn",
        "version": "1.2.0",
        "newest": "1.3.0",
        "newer": True,
        "digest": None,
        "published": OTHER,
        "fault": None,
    }


def test_an_unknown_name_is_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is no entry is named, with those that are."""
    result = _run(monkeypatch, [entry("longhorn")], "longhrn")
    assert str(result.exception) == "(command line) NAME: read longhrn; allowed longhorn"
