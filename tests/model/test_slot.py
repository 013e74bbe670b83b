"""Slots: subject and attribute, read from one text, compared without case; the registry says which hold one value."""

import tomllib
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere.errors import InvalidInput
from noosphere.model.slot import Slot, holds_one, is_of_things, normal, normal_value, read_slot
from noosphere.model.vocabulary import NAME

ATTRIBUTES = tomllib.loads(
    resources.files("noosphere.model").joinpath("attributes.toml").read_text(encoding="utf-8")
)  # fmt: skip


@pytest.mark.parametrize(
    ("slot", "subject", "attribute"),
    [
        ("user.home_city", "user", "home_city"),
        ("Ann Smith.employer", "Ann Smith", "employer"),
        ("  Ann   Smith . employer ", "Ann Smith", "employer"),
        ("node.js.version", "node.js", "version"),
        ("東京.status", "東京", "status"),
    ],
)
def test_a_slot_is_a_subject_and_an_attribute(slot, subject, attribute):
    assert read_slot(slot, None) == (subject, Slot(subject, attribute))


@pytest.mark.parametrize(
    "slot", ["home_city", ".home_city", "user.", "user. ", "user.Home", "user.home city", "", " . ", "user.1st"]
)
def test_anything_else_is_no_slot(slot):
    with pytest.raises(InvalidInput, match=r"user\.home_city"):
        read_slot(slot, None)


def test_a_subject_alone_names_no_slot():
    assert read_slot(None, "  Ann   Smith ") == ("Ann Smith", None)
    assert read_slot(None, "   ") == (None, None)
    assert read_slot(None, None) == (None, None)


def test_a_subject_that_says_the_same_as_the_slot_is_welcome():
    assert read_slot("Ann.employer", " ANN ")[1] == Slot("Ann", "employer")


def test_a_subject_that_contradicts_the_slot_is_refused():
    with pytest.raises(InvalidInput, match="contradicts"):
        read_slot("Ann.employer", "Bob")


@pytest.mark.parametrize(
    ("one", "other"), [("Ann", "ANN"), ("Ａｎｎ", "ann"), ("Straße", "STRASSE"), ("a  b", " a b ")]
)
def test_subjects_are_compared_without_case_width_and_spaces(one, other):
    assert normal(one) == normal(other)
    assert Slot(one, "x").key == Slot(other, "x").key


@pytest.mark.parametrize(
    ("one", "other"),
    [("Dr. Weber", "dr weber"), ("St. Gallen", "St Gallen."), ('"Kite"', "kite"), ("Oslo!", "oslo"), ("a, b", "a b")],
)
def test_values_are_compared_without_the_marks_around_words(one, other):
    assert normal_value(one) == normal_value(other)


@pytest.mark.parametrize(
    ("one", "other"), [("17.2", "172"), ("a/b", "ab"), ("-5", "5"), ("C++", "C"), ("5%", "5"), ("!", "?")]
)
def test_marks_that_tell_values_apart_stay(one, other):
    assert normal_value(one) != normal_value(other)


@given(st.text())
def test_a_value_compared_twice_is_the_same(text):
    assert normal_value(normal_value(text)) == normal_value(text)


@given(st.text())
def test_comparing_twice_changes_nothing(text):
    assert normal(normal(text)) == normal(text)


def test_an_unknown_attribute_is_set_valued():
    assert not holds_one("shoe_size_of_cousin")


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_the_registry_gives_each_attribute_a_name_a_reason_and_a_pair_of_examples(name):
    entry = ATTRIBUTES[name]
    assert NAME.fullmatch(name)
    assert set(entry) - {"words", "thing"} == {"functional", "reason", "first", "then"}
    assert entry["reason"]
    assert entry["first"] != entry["then"]
    assert holds_one(name) is entry["functional"]
    assert is_of_things(name) is entry.get("thing", False)
