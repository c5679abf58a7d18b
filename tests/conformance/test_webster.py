"""The rounding rule: worked examples, requests of users, and properties that hold for all input."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from placement.division import ambiguous, name_order_descending, tie_proof_weights, webster

_ASCENDING_UID = "4858ca61-3ff8-4095-8267-f3d059d8074c"
_DESCENDING_UID = "d43fdeeb-d750-4e2b-bee3-64eb94534f4c"

_NAMES = st.text("abcdefghij-0", min_size=1, max_size=4)
_WEIGHTS = st.dictionaries(_NAMES, st.integers(1, 60), min_size=1, max_size=12)
_COUNTS = st.dictionaries(_NAMES, st.integers(0, 40), min_size=1, max_size=10).filter(
    lambda counts: any(counts.values())
)


def _letters(*weights: int) -> dict[str, int]:
    return dict(zip("abcdefgh", weights, strict=False))


def _seat_by_seat(replicas: int, weights: dict[str, int], *, descending: bool) -> dict[str, int]:
    """Deal one seat after the other, as Karmada's code does, without a queue or a shortcut."""
    seats = dict.fromkeys(sorted(weights, reverse=descending), 0)
    for _ in range(replicas):
        # max() takes the first of equals, which is the first in the order of names.
        winner = max(seats, key=lambda name: (weights[name] / (2 * seats[name] + 1), -seats[name]))
        seats[winner] += 1
    return seats


@pytest.mark.parametrize(
    ("weights", "replicas", "division"),
    [
        ((3, 2, 1), 13, (7, 4, 2)),
        ((3, 2, 1), 14, (7, 5, 2)),
        ((1, 1), 5, (3, 2)),
        ((1, 3), 9, (2, 7)),
        ((170, 110, 60), 5, (2, 2, 1)),
        ((170, 110, 60), 6, (3, 2, 1)),
        ((2, 1), 2, (1, 1)),
        ((2, 4), 9, (3, 6)),
        ((2, 3, 5), 10, (2, 3, 5)),
        ((7, 0), 3, (3, 0)),
        ((1, 2, 3), 0, (0, 0, 0)),
    ],
)
def test_worked_example(weights: tuple[int, ...], replicas: int, division: tuple[int, ...]) -> None:
    """The examples of Karmada's documentation and of its issues 6735 and 6424, and 2:3:5."""
    assert webster(replicas, _letters(*weights)) == _letters(*division)


def test_equal_weights_tie_by_name_in_the_direction_of_the_uid() -> None:
    """1:1 with 5 replicas gives 3 and 2, or 2 and 3."""
    assert webster(5, _letters(1, 1), descending=True) == _letters(2, 3)
    assert ambiguous(5, _letters(1, 1))
    assert not ambiguous(4, _letters(1, 1))


def test_one_more_replica_takes_none_away() -> None:
    """Karmada's issue 6735: 170:110:60 went from 3, 2, 0 to 4, 1, 1 before version 1.16."""
    five, six = (webster(n, _letters(170, 110, 60)) for n in (5, 6))
    assert all(six[name] >= five[name] for name in five)


def test_growth_keeps_the_proportion() -> None:
    """Clusternet's issue 331: 1:2 with 6 and then 9 replicas gives 2, 4 and then 3, 6."""
    assert webster(6, _letters(1, 2)) == _letters(2, 4)
    assert webster(9, _letters(1, 2)) == _letters(3, 6)


def test_many_objects_balance_through_both_directions_only() -> None:
    """Karmada's issue 4220: 3 replicas on two equal clusters favour one of them for one UID."""
    equal = _letters(1, 1)
    assert webster(3, equal) == _letters(2, 1)
    assert webster(3, equal, descending=True) == _letters(1, 2)


@pytest.mark.parametrize(
    ("uid", "descending"),
    [(_ASCENDING_UID, False), (_DESCENDING_UID, True), ("", False), ("a", False), ("b", True)],
)
def test_direction_of_a_uid(uid: str, descending: bool) -> None:
    """The vectors of Karmada's own tests, and the shortest UIDs."""
    assert name_order_descending(uid) is descending


@given(st.text(max_size=40))
def test_direction_is_the_parity_of_the_hash(uid: str) -> None:
    """The lowest bit of FNV-1a, computed whole."""
    digest = 2166136261
    for byte in uid.encode():
        digest = (digest ^ byte) * 16777619 % 2**32
    assert name_order_descending(uid) is (bool(uid) and digest % 2 == 1)


@given(st.integers(0, 200), _WEIGHTS, st.booleans())
def test_division_is_that_of_dealing_seat_by_seat(
    replicas: int,
    weights: dict[str, int],
    descending: bool,
) -> None:
    """Dealing the first seats at once changes nothing."""
    division = webster(replicas, weights, descending=descending)
    assert division == _seat_by_seat(replicas, weights, descending=descending)
    assert list(division) == sorted(weights)


@given(st.integers(0, 200), _WEIGHTS, st.booleans())
def test_house_monotone(
    replicas: int,
    weights: dict[str, int],
    descending: bool,
) -> None:
    """One more replica goes to one cluster, and takes none from another."""
    before = webster(replicas, weights, descending=descending)
    after = webster(replicas + 1, weights, descending=descending)
    assert sorted(after[name] - before[name] for name in weights) == [0] * (len(weights) - 1) + [1]


@given(_COUNTS, st.integers(1, 10**6))
def test_weights_that_are_the_counts_are_exact(counts: dict[str, int], scale: int) -> None:
    """The counts, or any multiple of them, divide their sum into the counts without a tie."""
    weights = {name: scale * count for name, count in counts.items()}
    assert webster(sum(counts.values()), weights) == dict(sorted(counts.items()))
    assert not ambiguous(sum(counts.values()), weights)


@given(_COUNTS, st.integers(0, 500), st.data())
def test_tie_proof_weights_are_the_native_division_for_every_uid(
    counts: dict[str, int], total: int, data: st.DataObject
) -> None:
    """Also for other totals, and when any one cluster is lost."""
    weights = tie_proof_weights(counts, up_to=total)
    wanted = {name: count for name, count in counts.items() if count}
    assert set(weights) == set(wanted)
    assert webster(sum(wanted.values()), weights) == dict(sorted(wanted.items()))

    lost = data.draw(st.none() | st.sampled_from(sorted(wanted)), label="lost")
    for replicas in (sum(wanted.values()), total):
        left = {name: weight for name, weight in weights.items() if name != lost}
        native = {name: count for name, count in wanted.items() if name != lost}
        assert not ambiguous(replicas, left)
        assert webster(replicas, left) == webster(replicas, native)


def test_tie_proof_weights_rank_small_counts_first() -> None:
    """A newcomer's view: counts stay readable, the rank is behind them, zeros are gone."""
    counts = {"tokyo": 5, "oregon": 2, "nuremberg": 2, "newyork": 0}
    assert tie_proof_weights(counts) == {
        "nuremberg": 2_000_002,
        "oregon": 2_000_001,
        "tokyo": 5_000_000,
    }


def test_tie_proof_weights_refuse_what_is_beyond_their_bound() -> None:
    """1 · (2n + 1) must stay below a million for two clusters."""
    counts = _letters(1, 2)
    assert tie_proof_weights(counts, up_to=499_999)
    with pytest.raises(ValueError, match="read 2 clusters and 500000 replicas; allowed"):
        tie_proof_weights(counts, up_to=500_000)


def test_negative_numbers_are_refused() -> None:
    """Neither replicas nor weights nor counts can be below 0."""
    with pytest.raises(ValueError, match="allowed 0 or more"):
        webster(-1, _letters(1))
    with pytest.raises(ValueError, match="allowed 0 or more"):
        webster(1, _letters(1, -1))
    with pytest.raises(ValueError, match="allowed 0 or more"):
        tie_proof_weights(_letters(1, -1))


def test_no_weight_at_all_divides_nothing() -> None:
    """As in Karmada, which then leaves the result empty."""
    assert webster(3, _letters(0, 0)) == {}
    assert webster(3, {}) == {}


def test_time_does_not_grow_with_the_replicas() -> None:
    """A billion replicas are divided as fast as ten, and in proportion."""
    assert webster(10**9, _letters(3, 2, 5)) == _letters(3 * 10**8, 2 * 10**8, 5 * 10**8)
