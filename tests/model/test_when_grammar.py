"""The grammar of dates: every pattern's own examples, and any text at all in linear time."""

from datetime import UTC, datetime

import pytest

from noosphere.model.when.language import ENGLISH, LEVELS, OTHERS, data
from noosphere.model.when.times import find_times

READ_ON = datetime(2024, 5, 15, 12, tzinfo=UTC)


def patterns():
    for name in dict.fromkeys((*ENGLISH, *OTHERS)):
        for level in LEVELS:
            yield from data(name).get(level, ())


def named(text, code):
    return [
        [text[t.start : t.end], str(t.first or ""), str(t.after or "")]
        for t in find_times(text, READ_ON, languages=(code,))
    ]


def spoken(example, size):
    """The language of an example, which those of several languages begin with."""
    return (example[0], *example[1:]) if len(example) == size + 1 else ("en", *example)


EXAMPLES = list(patterns())


@pytest.mark.parametrize("pattern", [pytest.param(p, id=p["id"]) for p in EXAMPLES])
def test_a_pattern_reads_its_examples_and_leaves_its_counterexamples(pattern):
    for example in pattern["yes"]:
        code, text, phrase, first, after = spoken(example, 4)
        assert [phrase, first, after] in named(text, code), text
    for example in pattern["no"]:
        code, text = ("en", example) if isinstance(example, str) else example
        assert named(text, code) == [], text


def test_pattern_names_are_unique_and_every_pattern_has_an_example_or_a_counterexample():
    assert len({p["id"] for p in EXAMPLES}) == len(EXAMPLES)
    assert all(p["yes"] or p["no"] for p in EXAMPLES)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("What did we decide last week?", "2024-05-06"),
        ("Was haben wir letzte Woche beschlossen?", "2024-05-06"),
        ("¿Qué decidimos la semana pasada?", "2024-05-06"),
        ("Qu'avons-nous décidé la semaine dernière ?", "2024-05-06"),
    ],
)
def test_the_language_is_told_by_the_words_of_the_text(text, first):
    (found,) = find_times(text, READ_ON)
    assert str(found.first) == first
