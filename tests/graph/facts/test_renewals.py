"""The examples of renewals are their tests: what says anew what an earlier clause said, and what only looks so."""

from __future__ import annotations

import pytest

from noosphere.graph.facts.renewals import renewing, renews, statements
from noosphere.graph.facts.rulebook import data, is_gone

RENEWAL = data()["renewal"]


def renewed(old, new):
    before = list(statements(old))
    return any(renews(one, other) for one in renewing(new) for other in before)


@pytest.mark.parametrize(("old", "new"), RENEWAL["yes"])
def test_a_clause_that_says_what_has_changed_renews_one_that_differs_in_one_stretch(old, new):
    assert renewed(old, new)


@pytest.mark.parametrize(("old", "new"), RENEWAL["no"])
def test_what_stands_beside_it_or_is_of_something_else_is_not_renewed(old, new):
    assert not renewed(old, new)


@pytest.mark.parametrize(("old", "new"), RENEWAL["yes"])
def test_without_a_word_for_change_nothing_is_renewed(old, new):
    assert not renewed(new, old)


@pytest.mark.parametrize("status", data()["gone"]["is"])
def test_a_status_can_say_that_a_thing_is_over_for_good(status):
    assert is_gone(status)


@pytest.mark.parametrize("status", data()["gone"]["not"])
def test_any_other_status_leaves_it(status):
    assert not is_gone(status)
