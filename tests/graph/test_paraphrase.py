"""Two short texts say one thing only when nothing that either says is missing or changed in the other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere.graph.likeness import data
from noosphere.graph.paraphrase import MAX_TEXT, denies, restates, statement


def same(one, other):
    a, b = statement(one), statement(other)
    return a is not None and b is not None and restates(a, b)


@pytest.mark.parametrize("example", data()["paraphrase"]["example"], ids=lambda e: e["texts"][1])
def test_each_pair_is_judged_as_written_and_either_way_round(example):
    one, other = example["texts"]
    assert same(one, other) is same(other, one) is example["same"]


@pytest.mark.parametrize("example", data()["denial"]["example"], ids=lambda e: e["texts"][1])
def test_each_pair_that_may_deny_is_judged_as_written_and_either_way_round(example):
    one, other = (statement(text) for text in example["texts"])
    assert denies(one, other) is denies(other, one) is example["denies"]


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_order_of_two_texts_never_matters(one, other):
    assert same(one, other) == same(other, one)


@given(st.integers(0, 9999), st.integers(0, 9999))
def test_texts_with_different_numbers_say_two_things(one, other):
    assert same(f"widget {one} is in bin 3", f"in bin 3 is widget {other}") == (one == other)


def test_a_long_text_says_more_than_one_thing():
    assert statement("word " * MAX_TEXT) is None


@pytest.mark.parametrize(
    ("one", "other", "is_same"), [("我住在柏林", "我住在柏林 ", True), ("我住在柏林", "我不住在柏林", False)]
)
def test_where_no_words_are_told_apart_only_the_same_text_is_the_same(one, other, is_same):
    assert same(one, other) is is_same
