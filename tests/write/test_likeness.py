"""Two texts are the same only when their words are; alike only when no detail differs."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere.graph import likeness
from noosphere.graph.likeness import MAX_TEXT, Likeness, bars, compare

DATA = tomllib.loads(Path(likeness.__file__).with_name("likeness.toml").read_text("utf-8"))


@pytest.mark.parametrize("example", DATA["example"], ids=lambda e: e["texts"][1])
def test_each_pair_is_judged_as_written_and_either_way_round(example):
    one, other = example["texts"]
    assert compare(one, other) == example["verdict"]
    assert compare(other, one) == example["verdict"]


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_order_of_two_texts_never_matters(one, other):
    assert compare(one, other) == compare(other, one)


@given(st.integers(0, 9999), st.integers(0, 9999), st.sampled_from(["bin {}", "{} jobs wait", "v{} is out", "due {}"]))
def test_texts_with_different_numbers_are_never_alike(one, other, form):
    assert (compare(form.format(one), form.format(other)) is not Likeness.DIFFERENT) == (one == other)


def test_of_long_texts_nothing_is_said():
    long = "word " * MAX_TEXT
    assert compare(long, long) is Likeness.DIFFERENT


def test_a_space_that_was_not_measured_has_the_default():
    assert bars("anything") == bars("default")
    assert bars("static-256.int8").flag > bars("anything").flag
