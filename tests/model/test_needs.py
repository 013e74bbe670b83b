"""What a pattern needs is in every text it matches: rules that are not tried could not have matched."""

import json
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.model.needs_in_use import FILE

from noosphere.model.needs import Needs, Sought, needs_of, read_off
from noosphere.model.pieces import DIGIT, Pieces, piece_of
from noosphere.model.worded import UNLIKE_LOWER, Worded, worded, words_of

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
        assert Needs([needs_of(pattern)]).open(worded(text)) == [0]


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
    assert Needs([needs_of(r"\w+"), needs_of("certain")]).open(Worded("")) == [0]


@pytest.mark.parametrize(
    "parser", [None, SimpleNamespace(), SimpleNamespace(parse=lambda _: [("LITERAL",)])], ids=["moved", "bare", "other"]
)
def test_where_the_parser_of_patterns_is_another_every_pattern_is_tried(
    parser: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "re._parser", parser)
    assert needs_of("certain") == ()
    assert Needs([needs_of("certain"), needs_of("sure")]).open(Worded("")) == [0, 1]
    assert Sought(re.compile("certain")).may_match(Worded("sure"))


def test_what_all_spellings_share_is_needed_too() -> None:
    assert frozenset({" not "}) in needs_of(",? (?:and )?not ")


def test_the_rarest_words_of_a_pattern_are_what_it_needs_first() -> None:
    needs = needs_of(r"{who} (?:has|have) relocated to".replace("{who}", r"\w+"))
    assert needs[0] == frozenset({" relocated "})
    assert frozenset({" has ", " have "}) in needs


def test_every_alternative_may_need_more_than_one_word() -> None:
    needs = Needs([needs_of(r"(?:no longer likes|doesn['’]t like)")])
    assert needs.open(Worded("she no longer likes it")) == needs.open(Worded("he doesn’t like it")) == [0]
    assert needs.open(Worded("I like her")) == []


def test_words_that_may_stand_before_an_alternative_do_not_stand_for_it() -> None:
    needs = Needs([needs_of(r"x(?: have| has)?(?: just)? (?:had|given birth to|delivered) (?:a|the)")])
    assert needs.open(Worded("x just had a")) == needs.open(Worded("x has given birth to the")) == [0]
    assert needs.open(Worded("x have just a")) == []


def test_a_number_of_any_size_is_needed_as_one() -> None:
    needs = needs_of(r"costs (?:[$€] ?\d[\d.,]*|\d+ ?(?:euros|€))")
    assert any(DIGIT in need for need in needs)
    assert Needs([needs]).open(Worded("it costs €40")) == [0]
    assert Needs([needs]).open(Worded("it costs a lot")) == []


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
        pieces = Pieces()
        assert pieces.bits([piece]) == {piece: 1}
        assert pieces.held(words_of((before + literal + after).lower())) == 1


def test_a_word_is_told_the_same_when_it_is_remembered() -> None:
    pieces = Pieces()
    bits = pieces.bits(["live", " in ", "ing "])
    for _ in range(2):
        assert pieces.held(words_of("living in vain")) == bits[" in "] | bits["ing "]
        assert pieces.held(words_of("they lived")) == bits["live"]
        assert pieces.held(words_of("nothing else")) == bits["ing "]
        assert pieces.held(words_of("old cat")) == 0


def test_a_piece_that_comes_later_is_found_in_words_that_were_looked_at_before() -> None:
    pieces = Pieces()
    live = pieces.bits(["live"])["live"]
    assert pieces.held(words_of("they lived there")) == live
    later = pieces.bits([" there ", "live"])
    assert later["live"] == live
    assert pieces.held(words_of("they lived there")) == live | later[" there "]


def test_what_a_text_holds_is_told_anew_when_rules_were_read_since() -> None:
    told = Worded("the zyzzyva sleeps")
    for pattern in ("zyzzyva", "zyz+yva sleeps", "sleeps"):
        assert Needs([needs_of(pattern)]).open(told) == [0]
    assert Needs([needs_of("wakes")]).open(told) == []


ANEW = "import json; from tests.model.needs_in_use import in_use; print(json.dumps(in_use()))"


@pytest.mark.slow
def test_the_file_of_needs_says_what_is_read_off_the_patterns_and_holds_nearly_all_of_them() -> None:
    anew = json.loads(subprocess.run([sys.executable, "-c", ANEW], check=True, capture_output=True, text=True).stdout)
    told = json.loads(FILE.read_text(encoding="utf-8"))
    known = told.keys() & anew.keys()
    assert {key: told[key] for key in known} == {key: anew[key] for key in known}
    assert len(known) >= 0.9 * len(anew), "python -m tests.model.needs_in_use"


def test_a_pattern_that_is_not_in_the_file_is_read_off() -> None:
    assert needs_of("zyzzyva sleeps") == read_off("zyzzyva sleeps") != ()
