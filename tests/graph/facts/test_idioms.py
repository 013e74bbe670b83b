"""The examples of idioms are their tests: a clause that says a change in its own way is put plainly."""

from __future__ import annotations

import pytest

from noosphere.graph.facts.idioms import may_hold_idiom, without_idiom
from noosphere.graph.facts.rulebook import data

IDIOMS = data()["idiom"]


@pytest.mark.parametrize(("clause", "plain"), [example for one in IDIOMS for example in one["yes"]])
def test_an_idiom_of_change_is_put_plainly(clause, plain):
    assert may_hold_idiom(clause)
    assert without_idiom(clause) == plain


@pytest.mark.parametrize(("idiom", "clause"), [(one["id"], text) for one in IDIOMS for text in one["no"]])
def test_what_only_looks_like_an_idiom_stays_as_it_is(idiom, clause):
    assert without_idiom(clause) is None, idiom


def test_every_idiom_has_examples_of_both_kinds_and_its_own_id():
    assert all(one["yes"] and one["no"] for one in IDIOMS)
    assert len({one["id"] for one in IDIOMS}) == len(IDIOMS)
