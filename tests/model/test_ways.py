"""A pattern cut into its alternatives matches where the whole pattern matches."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noosphere.graph.facts import endings, when
from noosphere.graph.facts.rulebook import data
from noosphere.model.ways import Ways, alternatives
from noosphere.write import volatility

PATTERNS = [rule.pattern.source for rule in volatility.rules()]
PATTERNS += [data()["renewal"]["news"], data()["renewal"]["more"], endings.AGAIN.pattern, when.AHEAD]
WAYS = Ways(PATTERNS)


@pytest.mark.parametrize(
    ("pattern", "ways"),
    [
        ("a|b", ["a", "b"]),
        (r"(?:a|b) c|[|(]d|\|e", ["(?:a|b) c", "[|(]d", r"\|e"]),
        (r"[]|]x|[^]|]y|[\]|]z", ["[]|]x", "[^]|]y", r"[\]|]z"]),
        ("a|", ["a", ""]),
        (r"\b(?:a|(?:b|c)d)\b|e", [r"\b(?:a)\b", r"\b(?:(?:b|c)d)\b", "e"]),
        (r"\b(?:a)(?:b|c)\b", [r"\b(?:a)(?:b|c)\b"]),
    ],
)
def test_alternatives_are_cut_outside_of_groups_and_inside_of_one_around_all(pattern: str, ways: list[str]) -> None:
    assert alternatives(pattern) == ways


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_patterns_match_by_their_ways_where_they_match_whole(data: st.DataObject) -> None:
    way = data.draw(st.sampled_from([way for pattern in PATTERNS for way in alternatives(pattern)]))
    inner = data.draw(st.from_regex(re.compile(way, re.IGNORECASE)))
    text = data.draw(st.text(max_size=8)) + inner + data.draw(st.text(max_size=8))
    whole = [n for n, pattern in enumerate(PATTERNS) if re.search(pattern, text, re.IGNORECASE)]
    assert list(WAYS.matching(text)) == whole


@pytest.mark.parametrize(
    "text", ["now", "Now!", "it is NOW.", "now_", "_now", "snow", "ｎow", "now1", "nowſ", "é now", "7", "x٣"]
)
def test_a_word_that_a_text_holds_is_a_match_where_it_stands_by_itself(text: str) -> None:
    pattern = r"\b(?:now|again)\b|\d"
    assert Ways([pattern]).meets(text) is (re.search(pattern, text, re.IGNORECASE) is not None)
