"""The examples of endings and consequences are their tests: what is said to be over ends, and nothing else."""

from __future__ import annotations

import pytest

from noosphere.graph.facts.endings import is_service
from noosphere.graph.facts.rulebook import data

ENDINGS = data()["ending"]
CONSEQUENCES = [
    *({"id": name, **data()[name]} for name in ("posts", "gone", "contrary", "renamed", "same_thing")),
    *({"id": "opposed", **one} for one in data()["opposed"]),
]


def pairs(kind):
    given = [*ENDINGS, *CONSEQUENCES]
    return [pytest.param(old, new, id=f"{one['id']}: {old}") for one in given for old, new in one[kind]]


def still_holds(mind, old, new):
    first = mind.remember(old, said_at="2023-01-05")
    mind.remember(new, said_at="2024-04-05")
    return mind.get(first.id).current


@pytest.mark.parametrize(("old", "new"), pairs("yes"))
def test_what_a_clause_says_is_over_ends(mind, old, new):
    assert not still_holds(mind, old, new)


@pytest.mark.parametrize(("old", "new"), pairs("no"))
def test_what_a_clause_does_not_mean_stays(mind, old, new):
    assert still_holds(mind, old, new)


def test_every_form_has_examples_of_both_kinds_and_its_own_id():
    assert all(one["yes"] and one["no"] for one in ENDINGS)
    assert len({one["id"] for one in ENDINGS}) == len(ENDINGS)


def test_a_service_is_told_by_its_attribute():
    assert all(is_service(attribute) for attribute in data()["service"]["yes"])
    assert not any(is_service(attribute) for attribute in data()["service"]["no"])
