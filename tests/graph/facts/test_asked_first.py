"""What is looked for before a pattern stands in everything that the pattern meets."""

import random

import pytest

from noosphere.clock import moment
from noosphere.graph.facts import clauses, when
from noosphere.model.when.language import data, files
from noosphere.model.when.times import find_times, may_name
from noosphere.testing.clocks import FrozenClock

NOW = moment(FrozenClock().now())
CONTRACTED = [word.replace("'", "") for word in (
    "i'm", "i've", "i'd", "don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't", "haven't", "hasn't",
    "won't", "can't",
)]  # fmt: skip


@pytest.mark.parametrize("word", CONTRACTED)
@pytest.mark.parametrize("turn", [str.lower, str.capitalize, str.upper])
def test_a_word_without_its_apostrophe_gets_it(word, turn):
    sentence = f"{turn(word)} there"
    assert clauses.WITHOUT_APOSTROPHE.search(sentence)
    assert "'" in clauses._with_apostrophes(sentence)


@pytest.mark.parametrize("word", clauses.QUOTING)
@pytest.mark.parametrize("end", ["", "\n"])
def test_what_brings_in_a_quote_is_seen(word, end):
    assert clauses._introduces(f"Ann {word}{end}")
    assert clauses._introduces(f"ANN {word.upper()}{end}")
    assert not clauses._introduces(f"Ann {word} it")


@pytest.mark.parametrize("me", ["I", "me", "myself"])
def test_who_stands_before_the_speaker_is_put_behind(me):
    assert clauses._in_order(f"Ann and {me} moved") == "I and Ann moved"


@pytest.mark.parametrize("to", ["until", "till", "through", "up to", "UNTIL"])
def test_a_range_is_read_whatever_leads_to_its_end(to):
    times, _ = when.without_times(f"The hall is closed from 3 March {to} 9 March", NOW)
    assert len(times) == 1


def test_whatever_names_a_time_in_english_may_name_one():
    told = [example for file in files("en") for example in _texts(data(file))]
    chance = random.Random(3)
    told += [f"{chance.choice(told)} {chance.choice(told)}" for _ in range(200)]
    assert sum(bool(find_times(text, NOW, languages=("en",))) for text in told) > len(told) // 3
    assert [t for t in told if find_times(t, NOW, languages=("en",)) and not may_name(t, "en")] == []


def _texts(given):
    """The example texts of a data file, wherever they stand."""
    if isinstance(given, dict):
        return [text for name, value in given.items() if name != "form" for text in _texts(value)]
    if isinstance(given, list):
        return [text for value in given for text in _texts(value)]
    return [given] if isinstance(given, str) and " " in given else []
