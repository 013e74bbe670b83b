"""The closed words: what is one, what is nearly one, and what is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere.errors import InvalidInput, shown
from noosphere.model.vocabulary import (
    ROLES,
    Claim,
    Importance,
    Kind,
    Source,
    Status,
    Volatility,
    role_name,
    tag_names,
    texts,
    word,
    words,
)

NEARLY = [
    (Status, "canonikal", "canonical"),
    (Status, "archive", "archived"),
    (Kind, "epsodic", "episodic"),
    (Volatility, "volatil", "volatile"),
    (Importance, "kritical", "critical"),
    (Source, "user_state", "user_stated"),
    (Claim, "verifiedd", "verified"),
]


@pytest.mark.parametrize("kind", [Status, Kind, Volatility, Importance, Source, Claim])
def test_every_word_reads_as_itself(kind):
    for one in kind:
        assert word(kind, one.value, "field") is one
        assert word(kind, one, "field") is one
    assert word(kind, None, "field") is None


@pytest.mark.parametrize(("kind", "given_word", "meant"), NEARLY)
def test_a_near_word_is_refused_and_the_word_that_was_meant_is_named(kind, given_word, meant):
    with pytest.raises(InvalidInput, match=f"Did you mean {meant}") as refused:
        word(kind, given_word, "that")
    assert refused.value.field == "that"
    assert all(w.value in str(refused.value) for w in kind)


@pytest.mark.parametrize("given_word", ["xyzzy", "", "ACTIVE", " active", 5, b"active", [], None.__class__, 1.5, True])
def test_a_word_from_nowhere_is_refused_with_the_whole_list(given_word):
    with pytest.raises(InvalidInput, match="Use one of: draft, active, canonical, deprecated, archived"):
        word(Status, given_word, "status")


def test_several_words_come_as_one_or_as_a_list():
    assert words(Kind, None, "kind") == frozenset()
    assert words(Kind, "episodic", "kind") == {Kind.EPISODIC}
    assert words(Kind, ["episodic", "semantic", "episodic"], "kind") == {Kind.EPISODIC, Kind.SEMANTIC}
    with pytest.raises(InvalidInput):
        words(Kind, ["episodic", "semantik"], "kind")


@pytest.mark.parametrize("values", [["b", "a", "b"], ("b", "a"), {"a", "b"}, frozenset("ab")])
def test_texts_come_sorted_without_repeats(values):
    assert texts(values, "f") == ("a", "b")


@pytest.mark.parametrize("values", [5, [1], {"a": 1}, b"a", ["a", None], object()])
def test_what_is_not_text_is_refused(values):
    with pytest.raises(InvalidInput, match=r"f: .* not text"):
        texts(values, "f")


@pytest.mark.parametrize("role", [*ROLES, "hypothesis", "x", "a_1"])
def test_a_role_is_any_lower_case_name(role):
    assert role_name(role) == role


def test_a_role_that_is_left_out_is_a_note():
    assert role_name(None) == "note"


@pytest.mark.parametrize("role", ["Fact", "", "a b", "1st", "é", "x" * 65, "fact\n", 5, ["fact"]])
def test_nothing_else_is_a_role(role):
    with pytest.raises(InvalidInput, match="lower-case"):
        role_name(role)


def test_tags_are_trimmed_without_repeats_in_order_and_without_their_hash():
    assert tag_names(["#work", "work", "  big   plans ", "Äpfel"]) == ("big plans", "work", "Äpfel")
    assert tag_names("#one") == ("one",)
    assert tag_names(None) == ()


@pytest.mark.parametrize("tag", ["", "   ", "#", "x" * 101, "a\0b", "a\u202eb", "\ud800", "a\nb\x00"])
def test_what_cannot_be_shown_cannot_be_a_tag(tag):
    with pytest.raises(InvalidInput, match="tags"):
        tag_names([tag])


@given(st.lists(st.text(max_size=20)))
def test_any_tags_are_clean_or_refused(given_tags):
    try:
        names = tag_names(given_tags)
    except InvalidInput:
        return
    assert tag_names(names) == names
    assert all(n == " ".join(n.split()) and n.isprintable() for n in names)


def test_an_error_quotes_what_it_was_given_in_short_and_harmlessly():
    assert len(shown("x" * 1000)) < 250
    assert "\n" not in shown("a\nb")
    assert "\x1b" not in shown("\x1b[31m")
