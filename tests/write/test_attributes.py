"""The examples of the attribute registry, driven through a mind: functional ones replace, the others stand together."""

import tomllib
from importlib import resources

import pytest

from noosphere import Stored, Superseded

ATTRIBUTES = tomllib.loads(resources.files("noosphere.model").joinpath("attributes.toml").read_text(encoding="utf-8"))
FUNCTIONAL = [n for n, entry in ATTRIBUTES.items() if entry["functional"]]
SETS = [n for n, entry in ATTRIBUTES.items() if not entry["functional"]]


def fill(mind, name):
    slot = f"ann.{name}"
    return [mind.remember(ATTRIBUTES[name][which], slot=slot, value=which) for which in ("first", "then")]


@pytest.mark.parametrize("name", FUNCTIONAL)
def test_a_new_value_of_a_functional_attribute_replaces_the_old_one(mind, name):
    first, then = fill(mind, name)
    assert isinstance(first, Stored)
    assert isinstance(then, Superseded)
    assert then.old == (first.id,)
    assert not mind.get(first.id).current
    assert mind.get(then.id).current
    assert [s[0] for s in mind.history(first.id).spells] == [first.id, then.id]


@pytest.mark.parametrize("name", SETS)
def test_values_of_a_set_valued_attribute_stand_side_by_side(mind, name):
    first, then = fill(mind, name)
    assert isinstance(first, Stored)
    assert isinstance(then, Stored)
    assert mind.get(first.id).current
    assert mind.get(then.id).current
    assert mind.history(first.id).spells == ()


@pytest.mark.parametrize("name", FUNCTIONAL)
def test_different_subjects_never_retire_each_other(mind, name):
    entry = ATTRIBUTES[name]
    first = mind.remember(entry["first"], slot=f"ann.{name}", value="1")
    then = mind.remember(entry["then"], slot=f"bob.{name}", value="2")
    assert isinstance(then, Stored)
    assert mind.get(first.id).current


def test_the_caller_may_say_that_an_attribute_holds_one_value(mind):
    first = mind.remember("the printer is on floor 1", slot="printer.floor", value="1", functional=True)
    then = mind.remember("the printer is on floor 2", slot="printer.floor", value="2", functional=True)
    assert isinstance(then, Superseded)
    assert then.old == (first.id,)


def test_the_caller_may_say_that_an_attribute_holds_several(mind):
    first = mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin", functional=False)
    then = mind.remember("Ann lives in Rome", slot="ann.home_city", value="Rome", functional=False)
    assert isinstance(then, Stored)
    assert mind.get(first.id).current
    assert mind.get(then.id).current


def test_an_unknown_attribute_retires_nothing(mind):
    first = mind.remember("Ann's hat is red", slot="ann.hat_colour", value="red")
    then = mind.remember("Ann's hat is blue", slot="ann.hat_colour", value="blue")
    assert isinstance(then, Stored)
    assert mind.get(first.id).current


def test_without_a_value_the_text_is_the_value(mind):
    first = mind.remember("Apollo is planned", slot="apollo.status")
    again = mind.remember("Apollo is planned", slot="apollo.status")
    then = mind.remember("Apollo is done", slot="apollo.status")
    assert again.id == first.id
    assert then.old == (first.id,)


def test_values_are_compared_without_case_and_width(mind):
    first = mind.remember("Ann lives in Berlin", slot="ann.home_city", value="Berlin")
    again = mind.remember("Ann still lives in BERLIN", slot="Ann.home_city", value="ＢＥＲＬＩＮ")
    assert again.id == first.id
    assert again.evidence_count == 2
