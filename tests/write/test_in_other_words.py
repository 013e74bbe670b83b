"""The same value of the same slot, said in other words, is one memory with more reasons; nothing is retired."""

from __future__ import annotations

from itertools import permutations

import pytest

from noosphere import Duplicate, Superseded
from noosphere.graph.facts.rulebook import data

SOLE = data()["sole"]
PAIRS = [pair for texts in SOLE["yes"] for pair in permutations(texts, 2)]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_a_value_in_other_words_is_a_reason_more_for_the_memory_that_is_there(mind, one, other):
    first = mind.remember(one, said_at="2024-03-05")
    again = mind.remember(other, said_at="2025-03-05")
    assert isinstance(again, Duplicate)
    assert again.id == first.id
    assert again.evidence_count == len(mind.get(first.id).evidence) == 2
    assert mind.get(first.id).current


@pytest.mark.parametrize("texts", [texts for texts in SOLE["yes"] if len(texts) > 2], ids=lambda texts: texts[0])
def test_in_any_order_there_is_one_current_memory_with_a_clean_history(mind, texts):
    for order in permutations(texts):
        told = [mind.remember(text, said_at=f"2024-0{n}-05") for n, text in enumerate(order, start=1)]
        first = told[0].id
        assert {one.id for one in told} == {first}
        assert mind.get(first).evidence_count == len(order)
        history = mind.history(first)
        assert [(memory, end) for memory, _, end in history.spells] in ([(first, None)], [])
        mind.undo(told[-1].journal)
        assert mind.get(first).evidence_count == len(order) - 1
        mind.forget(first)


@pytest.mark.parametrize(("one", "other"), SOLE["no"])
def test_what_says_more_or_of_another_is_a_memory_of_its_own(mind, one, other):
    first = mind.remember(one, said_at="2024-03-05")
    assert mind.remember(other, said_at="2025-03-05").id != first.id


def test_a_value_that_comes_back_after_another_is_no_reason_for_its_first_spell(mind):
    first, _, back = (
        mind.remember(text, said_at=day)
        for text, day in (
            ("I live in Ghent", "2022-01-05"),
            ("I live in Bruges", "2023-01-05"),
            ("I'm based in Ghent", "2024-01-05"),
        )
    )
    assert isinstance(back, Superseded)
    assert not mind.get(first.id).current
    assert mind.get(back.id).current


def test_a_value_told_late_from_before_another_one_is_an_assertion_of_its_own(mind):
    then = mind.remember("I live in Ghent", said_at="2024-01-05")
    mind.remember("I live in Bruges", said_at="2023-01-05")
    early = mind.remember("I'm based in Ghent", said_at="2022-01-05")
    assert early.id != then.id
    assert [mind.get(memory).value for memory, _, _ in mind.history(then.id).spells] == ["Ghent", "Bruges", "Ghent"]


def test_a_guess_in_words_of_its_own_is_no_reason_for_what_the_user_said(mind):
    said = mind.remember("Kim leads Apollo", said_at="2024-01-05")
    guessed = mind.remember("Kim is in charge of Apollo", said_at="2024-02-05", source="agent_inferred")
    assert guessed.id != said.id


@pytest.mark.parametrize(
    ("one", "other"),
    [("Maya lives in Leeds", "Maya resides in Leeds"), ("The rent is 900 euros", "The rent costs 900 euros")],
)
def test_nobody_has_to_say_when_it_was_said_for_it_to_be_a_reason_more(mind, one, other):
    first = mind.remember(one)
    again = mind.remember(other)
    assert isinstance(again, Duplicate)
    assert again.id == first.id
