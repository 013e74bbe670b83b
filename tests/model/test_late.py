"""A pattern that ignores case finds in lower case what it finds in a text as written."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noosphere.graph.facts import changes, endings, renewals
from noosphere.model.late import Late
from noosphere.model.ways import Ways
from noosphere.write import volatility

WAYS = [volatility._ways(), renewals.news(), renewals.more(), endings.again(), changes.unsaid()]
LATE = [(way, begin) for ways in WAYS for way, begin in zip(ways._ways, ways._begins, strict=True)]
ASCII = st.text(st.characters(codec="ascii"), max_size=8)


@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_a_way_matches_in_a_plain_text_in_lower_case_where_it_matches_in_the_text(data: st.DataObject) -> None:
    way, begin = data.draw(st.sampled_from(LATE))
    inner = data.draw(st.from_regex(way.compiled, alphabet=st.characters(codec="ascii")))
    text = (
        data.draw(ASCII) + data.draw(st.sampled_from([str, str.upper, str.lower, str.title]))(inner) + data.draw(ASCII)
    )
    if text.isascii():
        found = way.compiled.search(text) is not None
        assert way.is_in(text, text.lower()) == way.is_in(text, None) == found
        assert begin in text.lower() or not found


@pytest.mark.parametrize("source", [r"\x4b", "(?-i:A)b", "\u212a", r"(?P<Who>a)(?P=Who)"])
def test_a_pattern_that_cannot_be_put_in_lower_case_stays_as_it_is(source: str) -> None:
    assert Late(source)._lower is None


def test_what_is_escaped_stays_as_it_is() -> None:
    told = Late(r"\bI (?:AM|[A-Z]\S\W)")._lower
    assert told is not None
    assert told.pattern == r"\bi (?:am|[a-z]\S\W)"


@pytest.mark.parametrize(
    ("way", "begin"),
    [
        (r"\b(?:as of)\b", "as of"),
        (r"\b(?:from \d{1,2} [a-z]+)\b", "from "),
        (r"n['’]t\b", "n't"),
        (r"\b(?:rumou?rs?)\b", "rumo"),
        (r"\b(?:as|of) it", ""),
        (r"\d+", ""),
    ],
)
def test_what_a_way_begins_with_is_what_comes_before_anything_else_than_letters(way: str, begin: str) -> None:
    assert Ways([way])._begins == [begin]
