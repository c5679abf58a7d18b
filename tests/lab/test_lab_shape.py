"""What a lab is made of: chosen once, and changed only where nothing is left in the way."""

import pytest

from lab.shape import Shape, changed, chosen
from placement.faults import BadInputError, FederationError

CLUSTERS = ("a", "b", "c")


@pytest.mark.parametrize(
    ("text", "members"),
    [("none", ()), ("all", CLUSTERS), ("b", ("b",)), ("c, a", ("a", "c"))],
)
def test_members_are_named_in_the_order_of_the_file(text: str, members: tuple[str, ...]) -> None:
    """However they are written, they come in the order of the federation file."""
    assert chosen(text, CLUSTERS) == members


def test_an_unknown_member_is_named_with_those_that_are_allowed() -> None:
    """The message says what was read and what the federation file has."""
    with pytest.raises(BadInputError, match="read x; allowed all, none or of a, b, c"):
        chosen("a,x", CLUSTERS)


def test_a_member_cannot_be_called_like_the_api() -> None:
    """Its kubeconfig would be that of the Karmada API."""
    with pytest.raises(BadInputError, match="any other name"):
        chosen("all", ("a", "karmada"))


def test_members_may_be_added() -> None:
    """A lab grows while it is up."""
    after = Shape("1.18.2", ("a", "b"), bare=True)
    assert changed("x", Shape("1.18.2", ("a",), bare=True), after) == after
    assert changed("x", Shape(), Shape("", ("a",))) == Shape("", ("a",))


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (Shape("1.18.2"), Shape(), "it has Karmada 1.18.2, now it would have no Karmada"),
        (Shape(), Shape("1.18.2"), "KARMADA_DIR is not set.*now it would have Karmada 1.18.2"),
        (Shape("", ("a", "b")), Shape("", ("b",)), "its members a would go"),
        (Shape("", ("a",)), Shape("", ("a",), bare=True), "bare and full members do not mix"),
    ],
)
def test_other_changes_are_refused_with_the_way_out(
    before: Shape, after: Shape, reason: str
) -> None:
    """Objects of the earlier lab would be in the way, so it has to be taken down."""
    with pytest.raises(FederationError, match=f"{reason}.*Take it down first"):
        changed("x", before, after)
