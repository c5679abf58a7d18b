"""Web addresses, as Go reads them.

Owns the parts of an address that Karmada asks for, and what Go says of a wrong one. Python's own
reader takes addresses that Go refuses.

Source: ``net/url`` of Go (``url.go``).
"""

import re
from dataclasses import dataclass
from typing import NoReturn
from urllib.parse import quote, unquote

from placement.karmada.field_errors import quoted


@dataclass(frozen=True)
class Url:
    """The parts of an address.

    Attributes:
        scheme: in lower case; empty where the address has none.
        user: as it is written back; None where the address names none.
        host: with the port, as it was written.
        query: without the question mark.
        fragment: without the number sign.
    """

    scheme: str
    user: str | None
    host: str
    query: str
    fragment: str


def parse_url(text: str) -> Url:
    """Return the parts of an address.

    Raises:
        ValueError: Go refuses the address; the message is Go's.
    """
    if re.search(r"[\x00-\x1f\x7f]", text):
        _refuse(text, "net/url: invalid control character in URL")
    rest, _, fragment = text.partition("#")
    _check_escapes(text, fragment)
    scheme, rest = _scheme(rest)
    rest, _, query = rest.partition("?")
    if not rest.startswith("/"):
        if scheme:
            return Url(scheme, None, "", query, fragment)  # opaque, such as mailto:
        if ":" in rest.partition("/")[0]:
            _refuse(text, "first path segment in URL cannot contain colon")
    user, host = None, ""
    if rest.startswith("//"):
        authority, _, path = rest[2:].partition("/")
        _check_escapes(text, path)
        user, host = _authority(authority, text)
    else:
        _check_escapes(text, rest)
    return Url(scheme, user, host, query, fragment)


def _scheme(text: str) -> tuple[str, str]:
    name, colon, rest = text.partition(":")
    if colon and not name:
        _refuse(text, "missing protocol scheme")
    if not colon or not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*", name):
        return "", text
    return name.lower(), rest


def _authority(authority: str, text: str) -> tuple[str | None, str]:
    user, sign, host = authority.rpartition("@")
    _check_escapes(text, user)
    if sign and not re.fullmatch(r"[A-Za-z0-9\-._~!$&'()*+,;=:%@]*", user):
        _refuse(text, "net/url: invalid userinfo")
    port = ""
    if host.startswith("["):
        address, bracket, port = host.rpartition("]")
        if not bracket:
            _refuse(text, "missing ']' in host")
        host_name = address
    else:
        host_name, colon, digits = host.rpartition(":")
        port = f":{digits}" if colon else ""
        host_name = host_name if colon else host
    if not re.fullmatch(r"(:[0-9]*)?", port):
        _refuse(text, f"invalid port {quoted(port)} after host")
    if found := re.search(r"[\x00-\x20\\^`{}|]", host_name):
        _refuse(text, f"invalid character {quoted(found[0])} in host name")
    _check_escapes(text, host_name)
    if found := re.search(r"%(?!25)[0-7][0-9A-Fa-f]", host_name):
        _refuse(text, f"invalid URL escape {quoted(found[0])}")  # ASCII stands for itself there
    return (_user(user) if sign else None), host


def _user(text: str) -> str:
    """Return name and password as Go writes them back, with its own choice of escapes."""
    name, colon, password = text.partition(":")
    escaped = (quote(unquote(part), safe="-_.~$&+,;=") for part in (name, password))
    return colon.join(escaped) if colon else next(escaped)


def _check_escapes(text: str, part: str) -> None:
    if found := re.search(r"%(?![0-9A-Fa-f]{2}).{0,2}", part):
        _refuse(text, f"invalid URL escape {quoted(found[0])}")


def _refuse(text: str, reason: str) -> NoReturn:
    message = f"parse {quoted(text)}: {reason}"
    raise ValueError(message)
