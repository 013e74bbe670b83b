"""The phrases recall listens to are data, and the examples beside them are what they promise."""

import re
import tomllib
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere.recall.cues import Heard, says
from noosphere.recall.intent import is_remark, wants_catch_up
from noosphere.recall.requests import patterns, topic


def data(name):
    return tomllib.loads(resources.files("noosphere.recall").joinpath(name).read_text(encoding="utf-8"))


CUES, REQUESTS = data("cues.toml"), data("requests.toml")
CATCH_UP, REMARK = data("intents.toml")["catch_up"], data("intents.toml")["remark"]


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, cue in CUES.items() for t in cue["yes"]])
def test_a_cue_is_heard(name, text):
    assert says(name, text)
    assert Heard(text).gives(name)


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, cue in CUES.items() for t in cue["no"]])
def test_a_cue_is_not_heard_where_there_is_none(name, text):
    assert not says(name, text)
    assert not Heard(text).gives(name)


@pytest.mark.parametrize("name", [name for name, cue in CUES.items() if "needs" in cue])
@given(st.data())
def test_what_a_cue_needs_stands_in_every_match(name, data):
    pattern = re.compile(CUES[name]["pattern"], re.IGNORECASE | re.ASCII)
    text = data.draw(st.from_regex(pattern, alphabet=st.characters(max_codepoint=127)))
    assert Heard(text).gives(name) == says(name, text)


@pytest.mark.parametrize(("name", "asked", "left"), [(n, a, b) for n, r in REQUESTS.items() for a, b in r["examples"]])
def test_the_wrapping_of_a_request_is_taken_off(name, asked, left):
    assert patterns()[name].search(asked)
    assert topic(asked) == left


@pytest.mark.parametrize("text", [t for r in REQUESTS.values() for t in r["same"]])
def test_words_that_mean_what_they_say_stay(text):
    assert topic(text) == text


def test_a_request_of_nothing_but_wrapping_stays_whole():
    assert topic("Can you walk me through it?") == "Can you walk me through it?"


@pytest.mark.parametrize("text", CATCH_UP["yes"])
def test_a_question_without_a_topic_asks_to_be_caught_up(text):
    assert wants_catch_up(text)


@pytest.mark.parametrize("text", CATCH_UP["no"])
def test_a_topic_makes_it_a_question_like_any_other(text):
    assert not wants_catch_up(text)


@pytest.mark.parametrize("text", REMARK["yes"])
def test_who_tells_something_is_not_asking(text):
    assert is_remark(text)


@pytest.mark.parametrize("text", REMARK["no"])
def test_a_question_a_request_or_bare_words_are_no_remark(text):
    assert not is_remark(text)
