"""What a memory says is over ends, by its own words, without anybody naming a slot."""

from __future__ import annotations

import pytest

from noosphere import Superseded
from noosphere.graph.facts import found_endings


def tell(mind, *said):
    return [mind.remember(text, said_at=day) for day, text in said]


def current(mind, outcome):
    thing = mind.get(outcome.id)
    return thing.current


OVER = [
    ("The cafe takes cheques", "The cafe no longer takes cheques, only cards", "The kiosk takes cheques"),
    ("I sing in a madrigal choir", "I don't sing in the madrigal choir any more", "I sing in the bath"),
    ("We ship to Iceland", "We stopped shipping to Iceland because of customs", "We ship to Malta"),
    ("We heat with oil", "We've gone from oil to a heat pump", "We cook with gas"),
    ("Petra plays the clarinet", "Petra switched from clarinet to oboe", "Petra plays chess"),
    (
        "We treat the hives with thymol",
        "We treat the hives with oxalic acid instead of thymol",
        "We feed the hives syrup",
    ),
]


@pytest.mark.parametrize(("old", "new", "beside"), OVER, ids=[new for _, new, _ in OVER])
def test_what_a_memory_says_is_over_ends_and_what_stands_beside_it_stays(mind, old, new, beside):
    first, other, then = tell(mind, ("2023-01-05", old), ("2023-01-06", beside), ("2024-04-05", new))
    assert isinstance(then, Superseded)
    assert first.id in then.old
    assert not current(mind, first)
    assert current(mind, other)
    assert mind.rank(old, unsure=True, as_of="2023-06-01")[0].text == old


def test_undo_of_what_ended_a_memory_lets_it_hold_again(mind):
    first, then = tell(mind, ("2023-01-05", "We ship to Iceland"), ("2024-01-05", "We no longer ship to Iceland"))
    assert not current(mind, first)
    mind.undo(then.journal)
    assert current(mind, first)


def test_what_somebody_else_says_of_themselves_does_not_end(mind):
    hers = mind.remember("I drink coffee at noon", said_at="2023-01-05", speaker="Ann")
    mine = mind.remember("I don't drink coffee any more", said_at="2024-01-05")
    assert current(mind, hers)
    assert not isinstance(mine, Superseded)


def test_a_canonical_memory_does_not_end_by_a_sentence(mind):
    old = mind.remember("We ship to Iceland", said_at="2023-01-05", status="canonical")
    mind.remember("We no longer ship to Iceland", said_at="2024-01-05")
    assert current(mind, old)


@pytest.mark.parametrize(
    "text",
    [
        "I don't know any more",
        "It is not so any more",
        "We parted ways over the fees",
        "Do you no longer ship to Iceland?",
    ],
)
def test_what_only_looks_like_an_ending_is_none(text):
    assert found_endings(text) == []


def test_he_she_and_it_mean_what_was_spoken_of_last_in_the_session(mind):
    home, moved = tell(mind, ("2022-01-01", "Ilse lives in Bruges"), ("2023-06-01", "She moved to Ostend"))
    assert mind.get(moved.id).subject == "Ilse"
    assert not current(mind, home)
    plan, later = tell(
        mind, ("2024-01-01", "The release is planned for 4 March"), ("2024-02-01", "It is now planned for 18 March")
    )
    assert moved.session == later.session
    assert not current(mind, plan)


def test_she_means_nobody_where_nobody_was_spoken_of(mind):
    only = mind.remember("She moved to Ostend", said_at="2023-06-01")
    assert mind.get(only.id).subject is None
