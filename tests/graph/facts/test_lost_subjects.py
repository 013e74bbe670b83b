"""Whom a clause without a subject is about, and what leads a clause away from its subject."""

from datetime import UTC, datetime

import pytest

from noosphere.graph.facts import found_endings, found_slots
from noosphere.graph.facts.when import spell

SAID = datetime(2024, 3, 5, tzinfo=UTC)


def ended(text):
    return [(ending.owner, ending.words) for ending in found_endings(text) if ending.words and not ending.said]


@pytest.mark.parametrize(
    ("text", "owner", "words"),
    [
        ("I am deputy head now and don't teach maths any more", "user", "teach maths"),
        ("I sold the car and no longer drive to work", "user", "drive work"),
        ("New year, new hat: I am deputy head and don't teach maths any more", "user", "teach maths"),
        ("No longer vegan, sorry", "user", "vegan"),
    ],
)
def test_what_is_denied_without_a_subject_is_denied_of_who_spoke_of_themselves(text, owner, words):
    assert (owner, words) in ended(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ann has a new bike and doesn't take the bus any more",
        "Ann sold the car and no longer drives to work",
        "Ann moved to Riga and don't call her any more",
        "My sister has a new bike and doesn't take the bus any more",
    ],
)
def test_what_is_denied_of_somebody_else_ends_nothing_of_the_speaker(text):
    assert "user" not in {owner for owner, _ in ended(text)}


def test_no_is_an_answer_and_not_a_part_of_what_follows():
    (fact,) = found_slots("No, I live in Bonn", said_at=SAID)
    assert (fact.subject, fact.value) == ("user", "Bonn")


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("From 1994 until 2010 Mrs Duarte was the town librarian.", (1994, 2011)),
        ("Between 1978 and 1991 Rosa ran the post office.", (1978, 1992)),
        ("Mrs Duarte was the town librarian from 1994 until 2010.", (1994, 2011)),
    ],
)
def test_years_before_a_name_are_a_spell_too(text, years):
    held = spell(text, SAID)
    assert tuple(datetime.fromtimestamp(at / 1e6, UTC).year for at in (held.since, held.until)) == years


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("For my lecture notes I use a paper binder", "paper binder"),
        ("For our lecture notes Ann uses Obsidian", "Obsidian"),
        ("Even for lecture notes I use Vim", "Vim"),
    ],
)
def test_what_leads_a_clause_may_be_ones_own(text, value):
    assert value in {fact.value for fact in found_slots(text, said_at=SAID)}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("I live in Leeds and work at Nokia.", {("user", "home_city", "Leeds"), ("user", "employer", "Nokia")}),
        ("Maud lives in Ghent and works as a baker.", {("Maud", "home_city", "Ghent"), ("Maud", "job_title", "baker")}),
        ("My boss lives in Rome and works for Bosch.", {("boss", "home_city", "Rome"), ("boss", "employer", "Bosch")}),
        ("Tom drives a red Panda and commutes from Bath.", {("Tom", "car", "red Panda")}),
    ],
)  # fmt: skip
def test_two_things_said_of_one_are_two_facts(text, facts):
    assert {(fact.subject, fact.attribute, fact.value) for fact in found_slots(text, "user", SAID)} == facts


@pytest.mark.parametrize("text", ["Work at the kitchen table is fine.", "Study the manual before Friday."])
def test_a_clause_that_is_no_lost_subject_is_nobody_s(text):
    assert "user" not in {fact.subject for fact in found_slots(text, "user", SAID)}
