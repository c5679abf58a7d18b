"""Label keys are told from what only looks like one."""

import pytest

from placement.karmada.label_key import label_key_errors


@pytest.mark.parametrize("key", ["a", "A.b_c-9", "example.com/name", "a" * 63, "x/y"])
def test_a_label_key_is_accepted(key: str) -> None:
    """A name with an optional DNS prefix is a label key."""
    assert label_key_errors(key) == []


@pytest.mark.parametrize(
    ("key", "starts"),
    [
        ("bad name!", ["name part must consist of alphanumeric characters"]),
        ("-a", ["name part must consist of"]),
        ("a\n", ["name part must consist of"]),
        ("", ["name part must be non-empty", "name part must consist of"]),
        ("a" * 64, ["name part must be no more than 63 bytes"]),
        ("/a", ["prefix part must be non-empty"]),
        ("Example.com/a", ["prefix part a lowercase RFC 1123 subdomain must consist of"]),
        ("a." * 127 + "a/b", ["prefix part must be no more than 253 bytes"]),
        ("a/b/c", ["a valid label key must consist of"]),
    ],
)
def test_a_wrong_key_is_refused(key: str, starts: list[str]) -> None:
    """Every part at fault is named, in the order of Kubernetes."""
    errors = label_key_errors(key)
    assert len(errors) == len(starts)
    assert all(error.startswith(start) for error, start in zip(errors, starts, strict=True))
