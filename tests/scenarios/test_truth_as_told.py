"""What is told in plain words, changed, told again and taken out."""

from __future__ import annotations

import pytest

from noosphere import Duplicate, Purged, Superseded

CHANGES = [
    ("I live in Berlin", "I moved to Lisbon", "where do I live?"),
    (
        "The hall is rented by the choir for 90 euros",
        "The hall is rented by the choir for 110 euros now",
        "hall rented",
    ),
    ("The season ticket is 120 euros", "From today the season ticket is 135 euros", "season ticket"),
    (
        "Captain of the second team is Bex",
        "Shan Li is captain of the second team now",
        "who is captain of the second team?",
    ),
    ("The dinghy is in the boathouse", "The dinghy is in the shed now", "where is the dinghy?"),
    ("Wir wohnen in Köln", "Wir sind nach Bonn umgezogen", "wo wohnen wir?"),
    ("Anna wohnt in Graz", "Anna ist nach Wien gezogen", "wo wohnt Anna?"),
    ("Vivo en Sevilla", "Me mudé a Bilbao", "¿en qué ciudad vivo?"),
    ("Claire habite à Nice", "Claire a déménagé à Brest", "où habite Claire ?"),
    ("My flat is in Camden", "I just moved into a flat in Hackney", "where do I live?"),
    ("I'm on the basic plan", "I upgraded to the pro plan", "which plan am I on?"),
    ("The flag new_checkout is off", "The flag new_checkout is on", "state of the flag new_checkout"),
    ("The kitchen tap leaks", "The plumber fixed the kitchen tap", "kitchen tap"),
]


def texts(mind, query, **options):
    return [hit.text for hit in mind.rank(query, unsure=True, **options)]


@pytest.mark.parametrize(("old", "new", "query"), [c for c in CHANGES if "rented" not in c[0]])
def test_only_the_new_value_is_current_and_history_shows_both(mind, old, new, query):
    mind.remember(old, said_at="2024-01-05")
    mind.remember(new, said_at="2024-03-05")
    assert texts(mind, query)[0] == new
    assert old not in texts(mind, query)
    assert texts(mind, query, as_of="2024-02-01")[0] == old
    assert {old, new} <= set(texts(mind, query, include_past=True))


@pytest.mark.parametrize(
    ("old", "new", "query"),
    [
        ("Tomas lives in Graz.", "Tomas moved to Vienna last month.", "Where does Tomas live?"),
        ("I live in Berlin", "I moved to Lisbon last week", "where do I live?"),
    ],
)
def test_a_change_told_as_news_is_current_though_the_old_value_was_told_after_it_began(mind, old, new, query):
    mind.remember(old, said_at="2024-03-04")
    changed = mind.remember(new, said_at="2024-03-05")
    assert isinstance(changed, Superseded)
    assert texts(mind, query)[0] == new
    assert old not in texts(mind, query)
    assert {old, new} <= set(texts(mind, query, include_past=True))
    mind.undo(changed.journal)
    assert old in texts(mind, query)


def test_a_fact_said_three_times_is_one_memory_with_three_pieces_of_evidence(mind):
    said = [mind.remember("The ferry leaves from pier 4", said_at="2024-01-05") for _ in range(3)]
    assert all(isinstance(outcome, Duplicate) for outcome in said[1:])
    assert said[-1].evidence_count == 3


@pytest.mark.parametrize(
    "lines",
    [
        ("The benchmark ran with model A 3b", "The benchmark ran with model A 7b"),
        ("Ann likes tea", "Bob likes coffee", "Ann likes coffee"),
        ("The red team meets on Monday", "The red team meets on Friday too"),
        ("We deployed 1.4.2 to staging", "We deployed 1.4.3 to staging"),
        ("Ticket 118 is open", "Ticket 181 is open"),
        ("My friend is Otto", "My friend is Pia"),
        ("Vera is a cellist of the trio", "Wanda is a cellist of the trio"),
        ("Train 7 leaves at 8:10", "Train 7 leaves at 12:10"),
        ("The library is quiet", "The library is closed on Sundays"),
    ],
)
def test_what_may_stand_side_by_side_stays_current(mind, lines):
    outcomes = [mind.remember(line, said_at=f"2024-01-0{n + 1}") for n, line in enumerate(lines)]
    assert all(mind.get(outcome.id).current for outcome in outcomes)


def test_an_edited_memory_is_found_by_its_new_words_only(mind):
    told = mind.remember("Maya works at Zephyrine")
    mind.revise(told.id, "Maya works at Quillfeather")
    assert texts(mind, "Zephyrine") == []
    assert texts(mind, "Quillfeather") == ["Maya works at Quillfeather"]


def test_a_secret_is_gone_after_forget_and_its_bytes_after_purge(mind):
    told = mind.remember("The safe opens with marigold-7731")
    mind.forget(told.id)
    assert texts(mind, "safe marigold") == []
    assert isinstance(mind.purge(told.id), Purged)
