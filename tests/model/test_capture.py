"""The seed's capture prefixes: read on the way in, written on the way out, and no part of what a text says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere.model.capture import Captured, read_prefixes, strip_prefixes
from noosphere.store.hashing import content_hash


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", Captured("plain")),
        ("[mind-fact] water is wet", Captured("water is wet", role="fact")),
        ("[mind-event] [2026-05-14] we met", Captured("we met", role="event", day="2026-05-14")),
        ("[mind-event] we met", Captured("we met", role="event")),
        ("[mind-profile Ann Smith] likes tea", Captured("likes tea", role="profile", subject="Ann Smith")),
        ("[mind-profile] likes tea", Captured("likes tea", role="profile")),
        (
            "[mind-rawturn conv:c1 turn:7 speaker:Ann] hello",
            Captured("hello", conversation="c1", turn="7", speaker="Ann"),
        ),
        ("[hm session:s1 src:m42] plain", Captured("plain", session="s1", source_id="m42")),
        ("[hm] plain", Captured("plain")),
        (
            "[hm session:s1 src:m42] [mind-fact] water is wet",
            Captured("water is wet", session="s1", source_id="m42", role="fact"),
        ),
        ("  [mind-fact]   water", Captured("water", role="fact")),
    ],
)
def test_a_prefix_is_read_and_taken_off(text, expected):
    assert read_prefixes(text) == expected
    assert strip_prefixes(text) == expected.text


@pytest.mark.parametrize(
    "text",
    ["[mind-opinion] x", "[mind-fact x", "text [mind-fact] x", "[note] x", "[MIND-FACT] x", "[", ""],
)
def test_what_only_looks_like_a_prefix_belongs_to_the_text(text):
    assert read_prefixes(text) == Captured(text)
    assert strip_prefixes(text) == text


def test_only_one_layer_of_each_kind_is_a_prefix():
    assert read_prefixes("[mind-fact] [mind-event] x").text == "[mind-event] x"


@pytest.mark.parametrize(
    ("role", "details", "prefix"),
    [
        ("fact", {}, "[mind-fact] "),
        ("event", {"day": "2026-05-14"}, "[mind-event] [2026-05-14] "),
        ("event", {}, "[mind-event] "),
        ("profile", {"subject": "Ann"}, "[mind-profile Ann] "),
        ("profile", {}, "[mind-profile] "),
    ],
)
def test_what_a_label_says_is_read(role, details, prefix):
    found = read_prefixes(f"{prefix}text")
    assert found.text == "text"
    assert (found.role, found.day, found.subject) == (role, details.get("day"), details.get("subject"))


@pytest.mark.parametrize(
    "prefix", ["[mind-fact] ", "[hm session:a src:b] ", "[hm src:b] [mind-event] [2026-05-14] ", "  "]
)
def test_the_same_words_from_two_captures_have_one_hash(prefix):
    assert content_hash(f"{prefix}water is wet") == content_hash("water is wet\n")


@given(st.text(alphabet="[]hmindfactevrofles -:1x\n", max_size=40))
def test_stripping_agrees_with_reading_and_never_invents_text(text):
    stripped = strip_prefixes(text)
    assert stripped == read_prefixes(text).text
    assert text.endswith(stripped)
