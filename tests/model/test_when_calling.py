"""What is left out before the grammar of dates is tried: texts without a word that calls for it, patterns in want."""

import re
from datetime import UTC, datetime
from itertools import product

import pytest

from noosphere.model.when import times
from noosphere.model.when.calling import Calling
from noosphere.model.when.language import LANGUAGES, LEVELS, calling, data, files, language, lexicon
from noosphere.model.when.times import BY_DIGITS
from noosphere.model.when.token import WORD

NOW = datetime(2026, 5, 14, tzinfo=UTC)
BESIDE = ["", "on ", "on the ", "q", "H", "'", "’", "x", "3", "-", " ", "in "]
BEHIND = ["", "st", "th", "thx", "0s", "0's", "s", ".5", ". ", " º", "-1", "/", " may", "x", ","]


def patterns(code):
    return [p for file in files(code) for level in LEVELS for p in data(file).get(level, ())]


def examples(code):
    given = [example for pattern in patterns(code) for example in (*pattern["yes"], *pattern["no"])]
    return [one if isinstance(one, str) else one[0] for one in given]


def held(text):
    return frozenset(WORD.findall(text.lower()))


def test_the_file_of_calling_words_is_made_of_those_of_each_language():
    assert calling().entries == {entry for code in LANGUAGES for entry in lexicon(code).calling.entries}


def test_an_entry_of_several_words_calls_only_when_all_of_them_are_there():
    words = Calling(["yesterday", "thanks giving", "new year 's eve"])
    assert words.among(held("It was Yesterday."))
    assert words.among(held("on Thanks Giving"))
    assert words.among(held("New Year's Eve"))
    assert not words.among(held("thanks, a new year"))


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_entry_that_names_a_time_calls(code):
    words = language(code).lexicon.calling
    assert words.entries
    assert all(words.among(held(entry)) for entry in words.entries)


@pytest.mark.parametrize("code", LANGUAGES)
def test_patterns_found_by_what_they_need_are_those_that_trying_all_finds(code):
    told, texts = language(code), [*examples("en"), *examples(code)]
    assert texts
    for text in texts:
        seen = 0
        for token in told.lexicon.tokens(text):
            seen |= token.mask
        for level in told.levels:
            all_of_them = [
                p for p in level.patterns if not p.unless & seen and all(seen & need for need in p.form.needs)
            ]
            assert level.fitting(seen) == all_of_them


@pytest.mark.parametrize(
    "digits", ["2", "20", "1999", "2024", "٢٠٢٤", "20240501", "0042", "8080", "12500", "555123456"]
)
def test_digits_by_which_a_text_may_name_a_time_are_found_whatever_stands_beside_them(digits):
    told = r"\bon (?:the )?\d|\d[/.-]\d|\d+(?:st|nd|rd|th)\b|\b[qQhHwW]\d|['’]\d\d|\d0['’]?s\b|\d\s*[º°.]"
    year = r"(?<!\d)(?:[12٢]\d{3}|\d{8})(?!\d)"
    for before, behind in product(BESIDE, BEHIND):
        text = f"it has {before}{digits}{behind} there"
        assert (BY_DIGITS.search(text) is not None) == (re.search(f"{year}|{told}", text) is not None), text


@pytest.mark.parametrize("code", LANGUAGES)
def test_in_no_example_digits_that_call_for_no_look_would_name_a_time(code, monkeypatch):
    for example, digits in product(examples(code), ("0042", "3000", "8080", "12500", "555123456")):
        text = re.sub(r"\d+", digits, example)
        if BY_DIGITS.search(text) is None and not calling().among(held(text)):
            with monkeypatch.context() as patch:
                patch.setattr(times, "_by_digits", lambda _head: True)
                assert times.find_times(text, NOW) == (), text
