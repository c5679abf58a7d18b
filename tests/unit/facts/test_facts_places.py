"""What stands in for a region that nobody publishes, and what does not."""

from collections import Counter

from placement.facts import places
from placement.facts.places import standing_for


def test_the_region_itself_needs_no_proxy() -> None:
    """A published region is taken as it is, and the same name written otherwise is no proxy."""
    assert standing_for("eu-west-1", ["eu-west-1", "eu-west-2"], {}) == ("eu-west-1", None)
    assert standing_for("frankfurt", ["Frankfurt"], {}) == ("Frankfurt", None)


def test_a_site_of_the_same_area_stands_in() -> None:
    """Hetzner's locations stand with the area that others measure, and say so."""
    sites = ["eu-central-1", "us-east-1", "us-west-2", "ap-southeast-1"]
    found = {r: standing_for(r, sites, {}) for r in ("fsn1", "nbg1", "ash", "hil", "sin")}
    assert {r: site[0] for r, site in found.items() if site} == {
        "fsn1": "eu-central-1",
        "nbg1": "eu-central-1",
        "ash": "us-east-1",
        "hil": "us-west-2",
        "sin": "ap-southeast-1",
    }
    assert found["ash"] == (
        "us-east-1",
        "us-east-1 stands in for ash, in the area of Northern Virginia",
    )


def test_nothing_stands_in_from_afar() -> None:
    """Without a site in the area a region is unknown, and so is one that nobody knows."""
    assert standing_for("hel1", ["eu-central-1"], {}) is None
    assert standing_for("moon", ["eu-central-1"], {}) is None


def test_the_user_may_say_otherwise() -> None:
    """A stated site wins over the area, where it is published."""
    assert standing_for("fsn1", ["eu-central-1", "eu-west-3"], {"fsn1": "eu-west-3"}) == (
        "eu-west-3",
        "eu-west-3 stands in for fsn1, as stated",
    )
    assert standing_for("fsn1", ["eu-central-1"], {"fsn1": "eu-west-3"}) is None


def test_every_name_is_of_one_area() -> None:
    """No region stands in two areas."""
    names = Counter(name for text in places._AREAS.values() for name in text.lower().split())
    assert [name for name, count in names.items() if count > 1] == []
