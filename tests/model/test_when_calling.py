"""What is left out before the grammar of dates is tried: texts without a word that calls for it, patterns in want."""

import pytest

from noosphere.model.when.calling import Calling
from noosphere.model.when.language import LANGUAGES, LEVELS, calling, data, files, language, lexicon
from noosphere.model.when.token import WORD


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
