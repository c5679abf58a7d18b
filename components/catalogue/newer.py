"""Which entries have a newer version, and whether what is pinned is still what is published.

Owns the reading of Helm repositories (their ``index.yaml``) and, for manifests, of the tags of the
GitHub repository that their address names. It changes nothing but digests that are missing, and
those where it is told so.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import requests
import yaml
from semver import Version

from components.catalogue.entry import Entry
from placement.faults import FederationError

GITHUB = "https://api.github.com"
_RAW = re.compile(r"https://raw\.githubusercontent\.com/(?P<repository>[^/]+/[^/]+)/")
_TIMEOUT = 60
"""Seconds: the largest index has more than ten megabytes."""


@dataclass(frozen=True)
class Standing:
    """Where an entry stands against what is published.

    Attributes:
        newest: the newest release; None where the source could not be read.
        published: the SHA-256 that the source gives for the pinned version, where it does.
        fault: why the source could not be read, or what is wrong with what it says.
    """

    entry: Entry
    newest: str | None
    published: str | None = None
    fault: str | None = None

    @property
    def newer(self) -> bool:
        """Whether there is a newer release than the pinned one."""
        return self.newest is not None and _version(self.newest) > _version(self.entry.version)

    def plain(self) -> dict[str, Any]:
        """For machines."""
        return {
            "name": self.entry.name,
            "version": self.entry.version,
            "newest": self.newest,
            "newer": self.newer,
            "digest": self.entry.digest,
            "published": self.published,
            "fault": self.fault,
        }


def standings(
    entries: Iterable[Entry], github: str = GITHUB, report: Callable[[str], None] = lambda _: None
) -> Iterator[Standing]:
    """How each of *entries* stands; one that cannot be read says so and stops no other.

    Args:
        entries: of the catalogue.
        github: the API that lists the tags of a repository.
        report: told each address before it is read.
    """
    indices: dict[str, Mapping[str, Any]] = {}
    for entry in entries:
        try:
            if entry.install == "manifest":
                yield _of_tags(entry, github, report)
                continue
            if entry.repository not in indices:
                address = f"{entry.repository}/index.yaml"
                report(address)
                indices[entry.repository] = _index(address)
            yield _of_index(entry, indices[entry.repository])
        except FederationError as error:
            yield Standing(entry, None, fault=str(error))


def _index(address: str) -> Mapping[str, Any]:
    """A repository's index.

    Raises:
        FederationError: it cannot be read, or something else is there.
    """
    try:
        found = yaml.load(_get(address).content, yaml.CSafeLoader)
    except yaml.YAMLError:
        found = None
    if not isinstance(found, dict):
        raise FederationError(f"{address} is no index of charts")
    return found


def _of_index(entry: Entry, index: Mapping[str, Any]) -> Standing:
    listed = {each["version"]: each for each in index.get("entries", {}).get(entry.name, ())}
    newest = _newest(listed)
    pinned = listed.get(entry.version)
    published = pinned and pinned.get("digest")
    if newest is None:
        return Standing(entry, None, fault=f"{entry.repository} lists no release of it")
    if pinned is None and entry.archive is None:
        return Standing(entry, newest, fault=f"{entry.version} is not listed any more")
    if entry.digest and published and entry.digest != published:
        return Standing(entry, newest, published, "republished: its digest has changed")
    return Standing(entry, newest, published)


def _of_tags(entry: Entry, github: str, report: Callable[[str], None]) -> Standing:
    found = _RAW.match(entry.repository)
    if found is None:
        return Standing(entry, None, fault=f"{entry.repository} names no repository with tags")
    address = f"{github}/repos/{found['repository']}/tags?per_page=100"
    report(address)
    newest = _newest(_tags(address))
    return Standing(entry, newest, fault=None if newest else f"{address} lists no release of it")


def _tags(address: str) -> Iterator[str]:
    """The names of all tags, page after page."""
    following: str | None = address
    while following is not None:
        answer = _get(following)
        try:
            yield from [tag["name"] for tag in answer.json()]
        except (ValueError, TypeError, KeyError):
            raise FederationError(f"{following} is no list of tags") from None
        following = answer.links.get("next", {}).get("url")


def _get(address: str) -> requests.Response:
    """The answer to one question.

    Raises:
        FederationError: there is none, or it says no.
    """
    try:
        answer = requests.get(address, timeout=_TIMEOUT)
    except requests.RequestException as error:
        reason = type(error).__name__
        raise FederationError(f"{address} cannot be reached ({reason})") from None
    if not answer.ok:
        raise FederationError(f"{address} answers {answer.status_code} {answer.reason}")
    return answer


def _version(text: str) -> Version:
    return Version.parse(text.removeprefix("v"))


def _newest(texts: Iterable[str]) -> str | None:
    """The newest of *texts* that is a release; others (candidates, other names) do not count."""
    valid = [text for text in texts if Version.is_valid(text.removeprefix("v"))]
    releases = [text for text in valid if _version(text).prerelease is None]
    return max(releases, key=_version, default=None)


def pin(file: Path, found: Iterable[Standing]) -> list[str]:
    """Write the published digests that *file* lacks, below their versions; the entries' names."""
    text, written = file.read_text("utf-8"), []
    for each in found:
        if each.published is None or each.entry.digest is not None:
            continue
        start = text.index(f"  - name: {each.entry.name}\n")
        at = text.index("\n", text.index("\n    version: ", start) + 1) + 1
        text = f"{text[:at]}    digest: {each.published}\n{text[at:]}"
        written.append(each.entry.name)
    file.write_text(text, "utf-8")
    return written
