"""Arguments of the wrong type are refused by name; texts that cannot be stored are repaired."""

import pytest

from noosphere.errors import InvalidInput
from noosphere.model.argument import read_count, read_flag, read_key, read_line, read_many, read_share, read_text

READERS = {
    "text": (lambda v: read_text(v, "it"), [5, 1.5, b"x", [], {}, object(), True]),
    "line": (lambda v: read_line(v, "it"), [5, b"x", ["x"]]),
    "key": (lambda v: read_key(v, "it"), [5, "", "  ", "\n"]),
    "flag": (lambda v: read_flag(v, "it"), [0, 1, "yes", "", []]),
    "count": (lambda v: read_count(v, "it", 1, 10), [0, 11, -1, 1.0, True, "3", None, 10**30]),
    "share": (lambda v: read_share(v, "it"), [-0.1, 1.1, float("nan"), float("inf"), "0.5", True, 10**400]),
    "many": (lambda v: read_many(v, "it"), ["text", b"bytes", {"a": 1}, 5, None]),
}
WRONG = [(reader, value) for reader, values in READERS.values() for value in values]


@pytest.mark.parametrize(
    ("reader", "value"), WRONG, ids=[f"{n}-{v!r:.12}" for n, (_, vs) in READERS.items() for v in vs]
)
def test_a_wrong_argument_is_refused_by_its_name(reader, value):
    with pytest.raises(InvalidInput) as refused:
        reader(value)
    assert refused.value.field == "it"
    assert str(refused.value).startswith("it: ")


def test_what_is_left_out_stays_out():
    assert [r(None, "it") for r in (read_text, read_line, read_key, read_flag, read_share)] == [None] * 5


def test_a_text_that_cannot_be_stored_is_repaired():
    assert read_text("a\0b\ud800", "it") == "ab\ufffd"


def test_a_line_is_trimmed_and_may_be_empty():
    assert read_line("  a title \n", "it") == "a title"
    assert read_line("   ", "it") is None


def test_a_key_is_kept_as_it_is():
    assert read_key(" a ", "it") == " a "


def test_numbers_and_switches_read_as_themselves():
    assert read_flag(False, "it") is False
    assert read_count(10, "it", 1, 10) == 10
    assert read_share(1, "it") == 1.0


@pytest.mark.parametrize("values", [["a"], ("a",), {"a"}, iter(["a"]), (x for x in "a")])
def test_several_may_come_in_any_collection(values):
    assert read_many(values, "it") == ["a"]
