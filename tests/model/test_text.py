"""Any string can be stored and read back; what had to be repaired is said."""

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere.model.text import Cleaned, clean

KEPT = {
    "line ends": "one\r\ntwo\rthree\nfour\u2028five",
    "a joined emoji": "👩🏽‍💻 and 👨‍👩‍👧 and 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "right to left": "\u202bשלום עולם\u202c مرحبا",
    "combining marks": "e\u0301 Z\u0351\u0346a\u0313l\u0359g\u0345o",
    "a byte order mark": "\ufeffone\ufefftwo",
    "noncharacters and private use": "\ufffe \uffff \U0010ffff \ue000",
    "control characters": "\x01\x1b[0m\x7f\x85",
    "unassigned letters": "\u0378\U0003fffd",
}


def stored(text):
    sql = apsw.Connection(":memory:")
    sql.execute("CREATE TABLE t (x TEXT NOT NULL) STRICT")
    sql.execute("INSERT INTO t VALUES (?)", (text,))
    return sql.execute("SELECT x FROM t").get


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_what_can_be_stored_stays_as_it_was_given(text):
    assert clean(text) == Cleaned(text, ())
    assert stored(text) == text


@pytest.mark.parametrize("text", ["plain", "naïve café", ""])
def test_a_clean_text_is_the_same_object(text):
    assert clean(text).text is text


@pytest.mark.parametrize(
    ("given_text", "text", "repairs"),
    [
        ("a\ud83db", "a\ufffdb", ("replaced 1 lone surrogate by U+FFFD",)),
        ("\udc00\udc00", "\ufffd\ufffd", ("replaced 2 lone surrogates by U+FFFD",)),
        ("\ude00x\ud83d", "\ufffdx\ufffd", ("replaced 2 lone surrogates by U+FFFD",)),
        ("hi \ud83d\ude00!", "hi 😀!", ("joined 1 surrogate pair into the character meant",)),
        ("a\0b\0", "ab", ("removed 2 NUL characters",)),
        ("\0", "", ("removed 1 NUL character",)),
        (
            "\0\ud83d\ude00\ud83d",
            "😀\ufffd",
            (
                "removed 1 NUL character",
                "joined 1 surrogate pair into the character meant",
                "replaced 1 lone surrogate by U+FFFD",
            ),
        ),
        ("\ud83d\0\ude00", "😀", ("removed 1 NUL character", "joined 1 surrogate pair into the character meant")),
    ],
)
def test_each_repair_is_said_in_words(given_text, text, repairs):
    assert clean(given_text) == Cleaned(text, repairs)


@given(st.text(st.characters() | st.characters(categories=["Cs", "Cc"])))
def test_any_string_comes_back_from_sqlite_as_it_was_cleaned(text):
    cleaned = clean(text)
    assert stored(cleaned.text) == cleaned.text
    assert clean(cleaned.text) == Cleaned(cleaned.text, ())
    assert bool(cleaned.repairs) == (cleaned.text != text)


def test_one_bad_character_costs_nothing_around_it():
    line = "x" * 1_000_000
    cleaned = clean(f"{line}\ud800{line}")
    assert cleaned.text == f"{line}\ufffd{line}"
