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
    ("I write my notes in Evernote", "I used to write my notes in Evernote, but now it's Obsidian", "I write letters"),
    ("We use Stripe for payments", "Stripe has been replaced by Adyen for payments", "Stripe has a nice logo"),
    ("Petra plays the clarinet", "Petra switched from clarinet to oboe", "Petra plays chess"),
    ("I'm vegan", "I'm eating cheese again, so I'm not a vegan any more", "I'm allergic to nuts"),
    ("I'm Ann's manager", "I'm not Ann's manager any longer", "I'm Ben's tutor"),
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


EARLIER = [
    ("The cafe takes cheques", "The cafe no longer takes cheques, only cards"),
    ("I play the tuba in the town band", "I no longer play the tuba"),
    ("I'm on the day shift", "I'm on the night shift now"),
]


@pytest.mark.parametrize(("old", "new"), EARLIER, ids=[new for _, new in EARLIER])
def test_what_arrives_after_it_was_said_to_be_over_held_until_then(mind, old, new):
    later, first = tell(mind, ("2024-04-05", new), ("2023-01-05", old))
    assert not current(mind, first)
    assert current(mind, later)
    assert mind.rank(old, unsure=True, as_of="2023-06-01")[0].text == old


def test_what_begins_after_it_was_said_to_be_over_holds(mind):
    _, again = tell(mind, ("2023-01-05", "I no longer play the tuba"), ("2024-01-05", "I play the tuba"))
    assert current(mind, again)


def test_a_clause_said_anew_but_for_one_stretch_ends_what_it_said_before(mind):
    day, other, night = tell(
        mind,
        ("2023-01-05", "I'm on the day shift"),
        ("2023-01-06", "I'm on the board of the chess club"),
        ("2024-01-05", "I'm on the night shift now"),
    )
    assert isinstance(night, Superseded)
    assert not current(mind, day)
    assert current(mind, other)


def test_what_is_switched_to_ends_the_one_service_somebody_goes_with(mind):
    old, new = tell(mind, ("2023-01-05", "I ride with Uber"), ("2024-01-05", "I switched to Bolt"))
    assert not current(mind, old)
    assert current(mind, new)


def test_of_several_services_none_ends_by_a_guess(mind):
    first, second, _ = tell(
        mind,
        ("2023-01-05", "I ride with Uber"),
        ("2023-01-06", "I shop at Lidl"),
        ("2024-01-05", "I switched to Bolt"),
    )
    assert current(mind, first)
    assert current(mind, second)


def test_what_somebody_else_switches_to_ends_nothing_of_mine(mind):
    mine, _ = tell(mind, ("2023-01-05", "I ride with Uber"), ("2024-01-05", "My cousin switched to Bolt"))
    assert current(mind, mine)


@pytest.mark.parametrize(
    ("old", "new", "other"),
    [
        ("Our team standup is at 9:30", "Standup moved to 10:15", "The design review is at 9:30"),
        ("Maya is the project lead", "Tom took over from Maya as project lead", "Maya is the chess champion"),
        ("I drive a Skoda Octavia", "I sold the Skoda and bought a Dacia Spring", "Ann drives a Skoda Fabia"),
        ("Ich wohne in Hamburg", "Ich bin nach Leipzig gezogen", "Mein Bruder wohnt in Hamburg"),
    ],
)
def test_a_change_ends_what_it_overtakes_and_undo_brings_it_back(mind, old, new, other):
    first, kept = mind.remember(old), mind.remember(other)
    changed = mind.remember(new)
    assert {mind.get(one.id).current for one in (kept, changed)} == {True}
    assert not mind.get(first.id).current
    mind.undo(changed.journal)
    assert mind.get(first.id).current


def test_a_short_name_that_may_mean_two_things_ends_neither(mind):
    both = [mind.remember("The team standup is at 9:30"), mind.remember("The ops standup is at 9:00")]
    mind.remember("The standup moved to 10:15")
    assert all(mind.get(one.id).current for one in both)


def test_what_arrives_after_the_change_of_it_is_over(mind):
    mind.remember("Standup moved to 10:15", said_at="2026-03-01T10:00:00Z")
    late = mind.remember("Our team standup is at 9:30", said_at="2026-01-01T10:00:00Z")
    assert not mind.get(late.id).current


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("My bank is HSBC", "I switched to Monzo", "which bank am I with?"),
        ("I ride with Uber", "I switched to Bolt", "who do I ride with?"),
    ],
)
def test_a_change_answers_the_question_for_what_it_ended_and_undo_takes_that_back(mind, old, new, question):
    first = mind.remember(old)
    changed = mind.remember(new)
    assert [hit.text for hit in mind.rank(question)] == [new]
    assert mind.get(changed.id).attribute == mind.get(first.id).attribute
    assert mind.doctor().healthy
    mind.undo(changed.journal)
    assert [hit.text for hit in mind.rank(question)] == [old]


def test_what_happened_twice_happened_twice(mind):
    both = [mind.remember(f"We deployed 1.4.{n} to staging") for n in (2, 3)]
    assert all(mind.get(one.id).current for one in both)
