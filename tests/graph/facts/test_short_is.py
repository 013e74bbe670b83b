"""A short "is" is spelled out where it can be no owner, and what follows from it is read as if it had been."""

import pytest

from noosphere.graph.facts import found_endings, found_slots
from noosphere.graph.facts.rulebook import data
from noosphere.graph.facts.short_is import is_short, spelled_out

SHORT = data()["short_is"]


@pytest.mark.parametrize(("text", "spelled"), SHORT["yes"])
def test_a_short_is_is_spelled_out(text, spelled):
    assert spelled_out(text) == spelled
    assert is_short(text)
    assert not is_short(spelled)


@pytest.mark.parametrize("text", SHORT["no"])
def test_an_owner_stays_as_it_is(text):
    assert spelled_out(text) == text
    assert not is_short(text)


@pytest.mark.parametrize("text", ["The gate code's 4411", "My GP's Dr Patel now", "Choir's on Tuesdays"])
def test_a_short_is_states_what_a_long_one_does(text):
    assert [(one.subject, one.attribute, one.value) for one in found_slots(text)] == [
        (one.subject, one.attribute, one.value) for one in found_slots(spelled_out(text))
    ]


def test_a_short_is_ends_what_a_long_one_does():
    assert found_endings("the rent's 950 euros now") == found_endings("the rent is 950 euros now")
