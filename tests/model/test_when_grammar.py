"""The grammar of dates: every pattern's own examples, and any text at all in linear time."""

from datetime import UTC, datetime

import pytest

from noosphere.model.when.language import FILES, LANGUAGES, LEVELS, data
from noosphere.model.when.times import find_times

READ_ON = datetime(2024, 5, 15, 12, tzinfo=UTC)


def patterns(code):
    for file in FILES:
        found = data(file if file == "numeric" else f"{code}/{file}")
        for level in LEVELS:
            yield from found.get(level, ())


def named(text, code):
    return [
        [text[t.start : t.end], str(t.first or ""), str(t.after or "")]
        for t in find_times(text, READ_ON, languages=(code,))
    ]


EXAMPLES = [(code, p["id"], p) for code in LANGUAGES for p in patterns(code)]


@pytest.mark.parametrize(("code", "pattern"), [pytest.param(c, p, id=f"{c}: {i}") for c, i, p in EXAMPLES])
def test_a_pattern_reads_its_examples_and_leaves_its_counterexamples(code, pattern):
    for text, phrase, first, after in pattern["yes"]:
        assert [phrase, first, after] in named(text, code), text
    for text in pattern["no"]:
        assert named(text, code) == [], text


def test_pattern_names_are_unique_and_every_pattern_has_a_counterexample_or_example():
    assert len({(code, name) for code, name, _ in EXAMPLES}) == len(EXAMPLES) - (len(LANGUAGES) - 1) * len(
        [p for level in LEVELS for p in data("numeric").get(level, ())]
    )
    assert all(p["yes"] or p["no"] for _, _, p in EXAMPLES)
