"""What counts beside the match: bounded, faded by age down to a floor; and repeats step back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere import InvalidInput
from noosphere.clock import DAY
from noosphere.model.vocabulary import Volatility
from noosphere.recall.diversity import diversify
from noosphere.recall.relevance import FLOORS, PROFILES, recency


@given(st.integers(-(10**17), 10**17), st.sampled_from(Volatility))
def test_freshness_lies_between_its_floor_and_one_and_never_grows_with_age(age, volatility):
    fresh = recency(age, volatility)
    assert FLOORS[volatility] <= fresh <= 1
    assert recency(age + DAY, volatility) <= fresh


def test_freshness_is_full_for_a_week_and_then_halves_every_month_above_its_floor():
    assert recency(7 * DAY, Volatility.VOLATILE) == 1
    assert recency(37 * DAY, Volatility.VOLATILE) == pytest.approx(0.15 + 0.85 / 2)
    assert recency(67 * DAY, Volatility.DURABLE) == pytest.approx(0.9 + 0.1 / 4)


def test_the_shares_of_every_profile_make_a_whole():
    assert {round(sum(shares.values()), 9) for shares in PROFILES.values()} == {1.0}


def test_a_profile_decides_between_equal_matches(mind):
    old = mind.remember(
        "the heron nests by the weir", importance="critical", said_at="2019-01-01", volatility="volatile"
    )
    new = mind.remember("the heron nests at the lock", said_at="2026-05-13", volatility="volatile")
    order = {name: [h.id for h in mind.rank("heron nests", profile=name)] for name in ("recent", "important")}
    assert order == {"recent": [new.id, old.id], "important": [old.id, new.id]}


def test_every_profile_lifts_what_it_is_for_and_none_above_the_best_match(mind):
    long_ago, kept = "2024-01-01", {"volatility": "volatile", "importance": "temporary"}
    texts = {
        "best": "Heron meeting notes about nests: twelve were found",
        "recent": "Notes about nests: the count goes on",
        "important": "Notes about nests: never publish where they are",
        "connected": "Meeting notes: the nests were counted",
    }
    mind.remember(texts["best"], said_at=long_ago, **kept)
    mind.remember(texts["recent"], said_at="2026-05-12", **kept)
    mind.remember(texts["important"], said_at=long_ago, volatility="volatile", importance="critical")
    linked = mind.remember(texts["connected"], said_at=long_ago, **kept)
    mind.link(linked.id, "part_of_project", mind.entity("Heron", "project").id)
    for profile in ("recent", "important", "connected"):
        ranked = mind.rank("Heron meeting notes about nests", 4, profile=profile, unsure=True)
        assert [hit.text for hit in ranked[:2]] == [texts["best"], texts[profile]]


def test_an_unknown_profile_is_refused_with_the_known_ones(mind):
    with pytest.raises(InvalidInput, match="balanced"):
        mind.rank("x", profile="newest")


def test_a_near_repeat_steps_back_behind_what_says_something_else():
    texts = ["the heron nests by the weir now", "the heron nests by the weir now!", "two herons fish at the lock"]
    assert diversify(texts, [3.0, 2.9, 2.8]) == [0, 2, 1]
    assert diversify(texts, [3.0, 2.9, 0.5]) == [0, 1, 2]


@given(st.lists(st.tuples(st.text(max_size=30), st.floats(-5, 5)), max_size=20))
def test_diversity_keeps_every_hit_and_the_best_one_first(rows):
    rows.sort(key=lambda row: -row[1])
    order = diversify([t for t, _ in rows], [s for _, s in rows])
    assert sorted(order) == list(range(len(rows)))
    assert order[:1] == [0][: len(rows)]
