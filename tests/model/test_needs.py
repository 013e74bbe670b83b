"""What a pattern needs is in every text it matches: rules that are not tried could not have matched."""

import re
import sys
from types import SimpleNamespace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from noosphere.model.needs import UNLIKE_LOWER, Needs, Sought, needs_of
from noosphere.model.pieces import Pieces, piece_of
from noosphere.model.worded import worded, words_of

WORDS = ["i", "meant", "was", "wrong", "moved", "to", "is", "not", "'s", "K", "ſ", "’", "—", "\x01", "ab"]
PATTERNS = [
    r"(?P<who>[\w'’.&-]+(?: [\w'’.&-]+){0,3}?)(?: has|['’]ve)?(?: now)* (?:moved|relocated)(?: back)? to (?P<v>\S.*?)",
    r"\bi (?:meant(?! well)|misspoke|was (?:wrong|mistaken))\b",
    r"^(?:no,? |sorry,? )*(?:scrap|ignore|never ?mind) (?:that|this)\b|\bi didn['’]t say so\b",
    r"(?:(?:very|quite) )?(?:\d+|three) k[mM]s?\b",
    r"is{1,3}\s+not|(?:abc){2,}x?y",
    r"e-mail(?=s)s|[kK]elvin[is]t",
    r"(?i:fianc(?:é|ée)) (?:is|['’]s) .",
    r"(?>ab|cd)ef++g",
    r"(?P<a>x)?(?(a)yes|no) sure",
]


@pytest.mark.parametrize("pattern", PATTERNS)
@given(data=st.data())
@settings(max_examples=60)
def test_a_text_that_matches_holds_what_the_pattern_needs(pattern: str, data: st.DataObject) -> None:
    compiled = re.compile(pattern, re.IGNORECASE)
    inner = data.draw(
        st.from_regex(compiled) if ">" not in pattern and "(?(" not in pattern else st.just("abefg no sure")
    )
    text = data.draw(st.text(max_size=8)) + inner + data.draw(st.text(max_size=8))
    if compiled.search(text):
        assert Needs([needs_of(pattern)]).open(text, worded(text).words) == [0]


@given(
    st.lists(st.sampled_from(WORDS), max_size=12),
    st.sampled_from(["", " "]),
)
def test_patterns_with_and_without_their_needs_find_the_same(words: list[str], joint: str) -> None:
    text = joint.join(words)
    for pattern in PATTERNS:
        compiled = re.compile(pattern, re.IGNORECASE)
        assert (Sought(compiled).search(text) is None) == (compiled.search(text) is None)


def test_a_pattern_that_needs_nothing_certain_is_always_tried() -> None:
    assert needs_of(r"\w+ \d*") == ()
    assert Needs([needs_of(r"\w+"), needs_of("certain")]).open("", frozenset()) == [0]


@pytest.mark.parametrize(
    "parser", [None, SimpleNamespace(), SimpleNamespace(parse=lambda _: [("LITERAL",)])], ids=["moved", "bare", "other"]
)
def test_where_the_parser_of_patterns_is_another_every_pattern_is_tried(
    parser: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "re._parser", parser)
    assert needs_of("certain") == ()
    assert Needs([needs_of("certain"), needs_of("sure")]).open("", frozenset()) == [0, 1]
    assert Sought(re.compile("certain")).may_match("sure")


def test_what_all_spellings_share_is_needed_too() -> None:
    assert frozenset({" not "}) in needs_of(",? (?:and )?not ")


def test_the_rarest_word_of_a_pattern_is_what_calls_it() -> None:
    assert needs_of(r"{who} (?:has|have) relocated to".replace("{who}", r"\w+")) == (frozenset({" relocated "}),)


def test_case_is_ignored_as_patterns_ignore_it() -> None:
    beyond = "".join(map(chr, range(0x80, sys.maxunicode + 1)))
    for char in re.findall("[a-z]", beyond, re.IGNORECASE):
        assert UNLIKE_LOWER.match(char) or re.fullmatch("[a-z]", char.lower()), char
    assert "K".lower() == "k"


@given(st.text(), st.text(st.sampled_from("ab1 -'é_\x01—"), min_size=1, max_size=12), st.text())
@example("the", "'s", "")
def test_wherever_a_literal_stands_some_word_holds_its_piece(before: str, literal: str, after: str) -> None:
    piece = piece_of(literal)
    if piece is not None and re.fullmatch(r"[\x00-\x7f]*", literal):
        assert Pieces([piece]).held(words_of((before + literal + after).lower())) == 1


def test_a_word_is_told_the_same_when_it_is_remembered() -> None:
    pieces = Pieces(["live", " in ", "ing "])
    for _ in range(2):
        assert pieces.held(words_of("living in vain")) == pieces.bits[" in "] | pieces.bits["ing "]
        assert pieces.held(words_of("they lived")) == pieces.bits["live"]
        assert pieces.held(words_of("nothing else")) == pieces.bits["ing "]
        assert pieces.held(words_of("old cat")) == 0
