"""The small parts under the adapters: times, trees, JSON streams, encodings, untrusted values."""

import io
import json
import math
from decimal import Decimal

import pytest
from exports import reader
from hypothesis import given
from hypothesis import strategies as st

from noosphere.clock import micros, moment
from noosphere.harvest.encoding import TextStream, decode, is_text
from noosphere.harvest.jsonstream import EACH, BadJson, Passed, begun, find_key, top_fields, values_at
from noosphere.harvest.times import EARLIEST, LATEST, read_instant
from noosphere.harvest.tree import Claim, grown, keep_only, path_first
from noosphere.harvest.untrusted import as_flag, as_number, as_plain, as_record, as_text

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@given(st.integers(EARLIEST * 1_000_000, LATEST * 1_000_000 - 1), st.sampled_from([1, 1_000, 1_000_000, 1_000_000_000]))
def test_a_number_is_the_same_moment_in_every_unit(at, unit):
    assert read_instant(Decimal(at) * unit / 1_000_000).at == at


@given(st.datetimes(timezones=st.timezones()))
def test_iso_text_with_a_zone_is_that_moment(value):
    instant = read_instant(value.isoformat())
    assert instant is None or instant.at == micros(value)


@pytest.mark.parametrize(
    "value", [0, -5, 1e308, math.nan, math.inf, Decimal("1e999999999"), 10**400, True, "202605141003"]
)
def test_what_cannot_be_a_time_is_none(value):
    assert read_instant(value) is None


def test_a_year_is_read_as_its_first_moment_and_said():
    instant = read_instant("2026")
    assert moment(instant.at).isoformat() == "2026-01-01T00:00:00+00:00"
    assert instant.repair


CLAIMS = st.dictionaries(
    st.integers(0, 9).map(str),
    st.builds(
        Claim,
        st.none() | st.integers(0, 12).map(str),
        st.lists(st.integers(0, 12).map(str), max_size=3).map(tuple),
    ),
    max_size=10,
)


@given(CLAIMS, st.sets(st.integers(0, 9).map(str)))
def test_any_claims_settle_into_a_tree_with_parents_first(claims, shown):
    tree = grown(claims)
    assert list(tree.parents) == list(claims)
    kept = keep_only(tree.parents, shown)
    assert set(kept) == shown & set(claims)
    for head in kept:
        order = path_first(kept, head)
        assert sorted(order) == sorted(kept)
        assert all(kept[key] is None or kept[key] in order[:place] for place, key in enumerate(order))


@given(st.lists(JSON, max_size=5))
def test_streamed_values_are_those_of_the_whole_file(values):
    raw = json.dumps(values).encode()
    assert list(values_at(reader(raw), (EACH,))) == values
    assert list(values_at(reader(raw), ())) == [values]


def test_values_are_found_under_a_field_and_elsewhere_passed_over():
    raw = json.dumps({"other": [{"x": [1]}], "talks": [{"x": 1}, {"x": 2}], "after": {"talks": [3]}}).encode()
    assert list(values_at(reader(raw), ("talks", EACH))) == [{"x": 1}, {"x": 2}]
    assert find_key(reader(raw), "x", 3) == ("other", EACH)
    assert find_key(reader(raw), "x", 1) is None


def test_a_broken_place_is_told_without_quoting_the_file():
    values = values_at(reader(b'["one", "secret" "word"]'), (EACH,))
    assert next(values) == "one"
    with pytest.raises(BadJson) as problem:
        list(values)
    assert "secret" not in str(problem.value)


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 70_000])
def test_a_number_of_too_many_digits_costs_only_itself(number):
    found = list(values_at(reader(f'[1, {number}, {{"a": {number}}}, "two"]'), (EACH,)))
    assert found == [1, Passed("holds a number of too many digits"), Passed("holds a number of too many digits"), "two"]


def test_an_object_that_breaks_off_is_read_as_far_as_it_goes():
    text = '{"type": "user", "message": {"role": "user", "in": {"deep": {"x": 1}}, "content": "long and lon'
    fields = {"type": "user", "message": {"role": "user", "in": {"deep": {"x": 1}}}}
    assert begun(reader(text), 2) == fields
    assert begun(reader('{"a":' * 50_000), 2) == {"a": {"a": {}}}
    assert begun(reader("[1, 2]"), 2) == {}


def test_of_two_fields_of_one_name_in_an_object_that_breaks_off_the_last_counts():
    assert begun(reader('{"message": "x", "message": {"role": "user", "con'), 2) == {"message": {"role": "user"}}


def test_a_million_open_brackets_cost_no_memory():
    with pytest.raises(BadJson):
        list(values_at(reader(b"[" * 1_000_000), (EACH,)))
    assert list(values_at(reader(b"[" * 1000 + b"]" * 1000), (EACH,))) == [Passed("is nested too deeply")]


def test_the_fields_of_a_file_are_read_until_it_breaks_off():
    assert top_fields(reader(b'{"id": "a", "inner": {"id": "b"}, "n": 1, "bro')) == {
        "id": "a",
        "inner": None,
        "n": 1,
    }
    assert top_fields(reader(b'[{"id": "a"}]')) == {}
    assert top_fields(reader(b"no json")) == {}


NO_NUL = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))  # every other NUL means UTF-16


@given(NO_NUL, st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]))
def test_any_text_survives_its_encoding(text, encoding):
    raw = ("a" + text).encode(encoding)
    assert decode(raw).text == "a" + text
    assert TextStream(io.BytesIO(raw)).read() == "a" + text


@given(st.binary(max_size=500))
def test_any_bytes_become_utf_8(raw):
    stream = TextStream(io.BytesIO(raw))
    assert "".join(iter(stream.read, "")) == decode(raw).text
    assert (stream.replaced > 0) == (decode(raw).replaced > 0)
    is_text(raw)


def test_a_character_on_the_border_of_two_blocks_is_whole(monkeypatch):
    monkeypatch.setattr("noosphere.harvest.encoding.BLOCK_BYTES", 7)
    text = "aé你🎉" * 20
    stream = TextStream(io.BytesIO(text.encode()))
    assert "".join(iter(stream.read, "")) == text
    assert stream.replaced == 0


@given(JSON | st.floats() | st.decimals())
def test_untrusted_values_become_what_was_asked_for_or_nothing(value):
    assert isinstance(as_record(value), dict)
    assert as_text(value) is None or as_text(value).strip()
    assert as_number(value) is None or not isinstance(value, bool)
    assert as_flag(value) is (value is True)
    json.dumps(as_plain(value), allow_nan=False)


def test_a_plain_copy_has_an_end():
    knot = []
    for _ in range(30):
        knot = [knot, knot]
    json.dumps(as_plain(knot))
    knot.append(knot)
    json.dumps(as_plain(knot))
