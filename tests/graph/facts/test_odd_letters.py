"""Letters that patterns take for others when they ignore case, "ı" for "i" and "ſ" for "s", stop no rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere.graph.facts import found_endings, found_slots
from noosphere.graph.facts.clauses import clauses
from noosphere.graph.facts.kinds_of_values import kinds_in
from noosphere.graph.facts.renewals import read_words

ODD = str.maketrans({"i": "ı", "I": "İ", "s": "ſ"})
WORDS = [
    "im", "ive", "id", "I", "he", "'s", "'m", "is", "twice", "thrice", "the", "team", "meets", "now", "a", "week", "in",
    "Oslo",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=10).map(lambda words: " ".join(words).replace(" '", "'"))


@pytest.mark.parametrize("text", ["ım happy in Oslo", "İve moved", "so ıd go"])
def test_a_short_form_that_is_none_stays_as_it_is(text):
    assert next(iter(clauses(text))).text in text


def test_a_long_s_behind_an_apostrophe_is_an_s():
    assert list(read_words("he'ſ here")) == [("he", "he"), ("be", "ſ"), ("here", "here")]


def test_a_word_that_only_looks_like_a_count_is_none():
    assert kinds_in("twıce a day") == frozenset()
    assert {kind.is_a for kind in kinds_in("twice a day")} == {"count"}


@given(TEXTS)
def test_any_text_with_such_letters_is_read(text):
    for told in (text, text.translate(ODD)):
        found_slots(told)
        found_endings(told, "user", None)
