"""What a lab is made of: chosen once, and changed only where nothing is left in the way."""

import pytest

from lab.shape import Shape, changed, chosen, sound
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


@pytest.mark.parametrize("name", ["karmada", "karmada-2"])
def test_a_member_cannot_be_called_like_the_api(name: str) -> None:
    """Its kubeconfig would be that of the Karmada API, or of one of its servers."""
    with pytest.raises(BadInputError, match=f"{name}; allowed any other name"):
        chosen("all", ("a", name))


def test_there_is_one_of_each_part_or_three() -> None:
    """One instance has no number; three are counted from nought, as a StatefulSet does."""
    assert Shape().instances == ("",)
    assert Shape(high_availability=True).instances == ("-0", "-1", "-2")


@pytest.mark.parametrize(
    ("shape", "reason"),
    [
        (Shape("1.18.2", ("a",), bare=True, estimators=True), "read with bare members"),
        (Shape("", ("a",), estimators=True), "read with no real Karmada"),
    ],
)
def test_estimators_need_something_to_look_at(shape: Shape, reason: str) -> None:
    """They look at nodes that a scheduler fills, for a scheduler that asks."""
    with pytest.raises(BadInputError, match=reason):
        sound(shape)


def test_members_and_estimators_may_be_added() -> None:
    """A lab grows while it is up."""
    after = Shape("1.18.2", ("a", "b"), bare=True)
    assert changed("x", Shape("1.18.2", ("a",), bare=True), after) == after
    assert changed("x", Shape(), Shape("", ("a",))) == Shape("", ("a",))
    estimated = Shape("1.18.2", ("a",), estimators=True)
    assert sound(changed("x", Shape("1.18.2", ("a",)), estimated)) == estimated


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (Shape("1.18.2"), Shape(), "it has Karmada 1.18.2, now it would have no Karmada"),
        (Shape(), Shape("1.18.2"), "KARMADA_DIR is not set.*now it would have Karmada 1.18.2"),
        (Shape("", ("a", "b")), Shape("", ("b",)), "its members a would go"),
        (Shape("", ("a",)), Shape("", ("a",), bare=True), "bare and full members do not mix"),
        (Shape(), Shape(high_availability=True), "one etcd does not become three"),
    ],
)
def test_other_changes_are_refused_with_the_way_out(
    before: Shape, after: Shape, reason: str
) -> None:
    """Objects of the earlier lab would be in the way, so it has to be taken down."""
    with pytest.raises(FederationError, match=f"{reason}.*Take it down first"):
        changed("x", before, after)
