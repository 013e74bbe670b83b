"""Of two texts one repeats the other, or contradicts it in one detail, or neither."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere.graph.likeness import data
from noosphere.graph.resemblance import Detail, differing, repeats, similarity


@pytest.mark.parametrize("example", data()["resemblance"]["example"], ids=lambda e: e["texts"][1])
def test_each_pair_differs_in_what_is_written_and_either_way_round(example):
    one, other = example["texts"]
    assert differing(one, other) == differing(other, one) == example.get("differ")


@pytest.mark.parametrize("example", data()["repeat"]["example"], ids=lambda e: e["texts"][0])
def test_each_text_repeats_the_other_as_written(example):
    assert repeats(*example["texts"]) == example["repeats"]


@given(st.text(max_size=80), st.text(max_size=80))
def test_the_order_of_two_texts_never_matters(one, other):
    assert differing(one, other) == differing(other, one)
    assert similarity(one, other) == similarity(other, one)
    assert 0 <= similarity(one, other) <= 1


@given(st.text(max_size=80))
def test_no_text_contradicts_itself(text):
    assert differing(text, text) is None


@given(st.integers(0, 9999), st.integers(0, 9999))
def test_two_numbers_are_a_contradiction_and_no_repetition(one, other):
    told = [f"We agreed that the rent for the workshop is {number}" for number in (one, other)]
    assert differing(*told) == (None if one == other else Detail.NUMBER)
    assert repeats(*told) == (one == other)
