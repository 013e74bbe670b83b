"""An instruction counts for what is to be done, not for a question about the past; a preference where help is asked."""

import pytest

from noosphere import Turn
from noosphere.model.trace import Ordered

TURNS = {
    "instruction": "Always name the gauge when I ask about knitting socks.",
    "preference": "I prefer wool for knitting socks.",
    "plain": "The knitting shop sells socks.",
}


@pytest.fixture
def knitting(mind):
    for day, (key, text) in enumerate(TURNS.items(), 1):
        turn = Turn(key=key, speaker="user", text=text, at=f"2024-05-0{day}", speaker_role="user")
        mind.record(key, [turn, Turn(key=f"{key}-a", speaker="Bot", text="Noted.", speaker_role="assistant")])
    return mind


def heard(mind, question):
    """Which cues each turn has a part of its score from."""
    ranked = mind.ranked(question, 10, unsure=True)
    keys = {hit.id: hit.turn_key for hit in ranked.hits}
    order = next(step for step in ranked.trace.steps if isinstance(step, Ordered))
    cues = {"instruction", "preference", "standing"}
    return {keys[uid]: cues & {name for name, _ in terms} for uid, _, terms in order.rows}


def test_where_help_is_asked_for_instructions_and_preferences_count(knitting):
    found = heard(knitting, "How should I start knitting socks?")
    assert found["instruction"] == {"instruction", "standing"}
    assert found["preference"] == {"preference", "standing"}
    assert found["plain"] == set()


def test_a_plain_question_has_use_for_an_instruction_but_not_for_what_somebody_would_rather_have(knitting):
    found = heard(knitting, "Which yarn is good for knitting socks?")
    assert "instruction" in found["instruction"]
    assert "preference" not in found["preference"]


@pytest.mark.parametrize(
    "question",
    ["Which socks did I knit?", "Can you list the knitting socks I mentioned?", "What have we said of knitting socks?"],
)
def test_a_question_about_what_was_said_or_done_has_use_for_neither(knitting, question):
    assert not any(heard(knitting, question).values())


def test_a_preference_comes_first_where_help_is_asked_for_and_a_plain_match_where_the_past_is(knitting):
    assert knitting.rank("How should I start knitting socks?", unsure=True)[0].turn_key == "preference"
    assert knitting.rank("Which knitting socks did I see?", unsure=True)[0].turn_key == "plain"
