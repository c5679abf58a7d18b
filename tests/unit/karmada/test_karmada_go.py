"""What Go prints and reads is printed and read the same here."""

import pytest

from placement.karmada.canonical_quantity import as_printed
from placement.karmada.field_errors import quoted
from placement.karmada.go_url import Url, parse_url


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("0", "0"),
        ("0.0", "0"),
        ("1000m", "1"),
        ("1500m", "1500m"),
        ("0.5", "500m"),
        ("1.500", "1.500"),
        ("0.500", "500m"),
        ("0.9765625Ki", "1k"),
        ("1.5Gi", "1536Mi"),
        ("1024Mi", "1Gi"),
        ("1Gi", "1Gi"),
        ("0.5Ki", "512"),
        ("-1000", "-1k"),
        ("5E3", "5E3"),
        ("5000e0", "5e3"),
        ("2E", "2E"),
        ("1n", "1n"),
        ("1000000000000000000000", "9223372036854775807"),
    ],
)
def test_a_quantity_is_printed_as_kubernetes_prints_it(text: str, printed: str) -> None:
    """The canonical form, but for a text that looks canonical already."""
    assert as_printed(text) == printed


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ('a"b\\', r'"a\"b\\"'),
        ("é<&>", '"é<&>"'),
        ("\x01\t\u200b\U000e0001", r'"\x01\t\u200b\U000e0001"'),
    ],
)
def test_a_text_is_quoted_as_go_quotes_it(text: str, printed: str) -> None:
    """What can be printed stays, the rest becomes an escape."""
    assert quoted(text) == printed


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("HTTPS://h:6443/a?b#c", Url("https", None, "h:6443", "b", "c")),
        ("https://u:p:q@h", Url("https", "u:p%3Aq", "h", "", "")),
        ("https://u@h", Url("https", "u", "h", "", "")),
        ("https://[::1]:6443", Url("https", None, "[::1]:6443", "", "")),
        ("h:6443", Url("h", None, "", "", "")),
        ("h", Url("", None, "", "", "")),
        ("//h", Url("", None, "h", "", "")),
    ],
)
def test_an_address_has_its_parts(text: str, url: Url) -> None:
    """An address without a scheme has no host, whatever it looks like."""
    assert parse_url(text) == url


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("://h", "missing protocol scheme"),
        ("1.2.3.4:6443", "first path segment in URL cannot contain colon"),
        ("https://h\x01", "net/url: invalid control character in URL"),
        ("https://h:x", 'invalid port ":x" after host'),
        ("https://[::1", "missing ']' in host"),
        ("https://a b", 'invalid character " " in host name'),
        ("https://h/%zz", 'invalid URL escape "%zz"'),
        ("https://H%41", 'invalid URL escape "%41"'),
        ("https://a^b@h", "net/url: invalid userinfo"),
    ],
)
def test_an_address_is_refused(text: str, reason: str) -> None:
    """The reason is Go's."""
    with pytest.raises(ValueError, match=r"^parse ") as refused:
        parse_url(text)
    assert str(refused.value).endswith(f": {reason}")
