"""Participants' names are taken out of a text before it is embedded, and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere.model.names import strip_names


@pytest.mark.parametrize(
    ("text", "names", "left"),
    [
        ("Ann went home", ["Ann"], "went home"),
        ("I met Ann's cat", ["Ann"], "I met  cat"),
        ("I met Ann’s cat", ["Ann"], "I met  cat"),
        ("ann and ANN", ["Ann"], "and"),
        ("Annual planning", ["Ann"], "Annual planning"),
        ("Joanna and Ann", ["Ann"], "Joanna and"),
        ("Ann Marie called Ann", ["Ann", "Ann Marie"], "called"),
        ("C++ (dev) wins", ["C++ (dev)"], "wins"),
        ("nothing here", ["Ann"], "nothing here"),
        ("Ann", ["Ann"], "Ann"),
        ("Ann, Ann!", ["Ann"], ", !"),
        ("text", [], "text"),
        ("text", ["", "  "], "text"),
        ("Ann sat", ["Ann", "ann", "Bob"], "sat"),
    ],
)
def test_whole_names_go_with_their_possessives(text, names, left):
    assert strip_names(text, names) == left


@given(st.text(max_size=60), st.lists(st.text(max_size=8), max_size=4))
def test_the_order_of_the_names_does_not_matter_and_no_text_is_lost_whole(text, names):
    left = strip_names(text, names)
    assert left == strip_names(text, reversed(names))
    assert left.strip() or not text.strip()
    assert len(left) <= len(text)
