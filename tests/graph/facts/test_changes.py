"""Changes: what is now another than it was ends what said so, and nothing else."""

import pytest

from noosphere.graph.facts.changes import found_changes
from noosphere.graph.facts.kinds_of_values import kinds_in
from noosphere.graph.facts.overtaken import overtakes
from noosphere.graph.facts.rulebook import changes

FORMS = changes()["change"]


def told(wanted):
    return [
        pytest.param(*pair, id=f"{form['id']}-{number}") for form in FORMS for number, pair in enumerate(form[wanted])
    ]


def is_over(old, new):
    return any(overtakes(change, old) for change in found_changes(new))


@pytest.mark.parametrize(("old", "new"), told("yes"))
def test_a_change_overtakes_what_said_how_it_was(old, new):
    assert is_over(old, new)


@pytest.mark.parametrize(("old", "new"), told("no"))
def test_a_change_leaves_what_says_something_else(old, new):
    assert not is_over(old, new)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form["id"])
def test_each_form_is_the_one_that_finds_its_examples(form):
    assert all(form["id"] in {change.rule for change in found_changes(new)} for _, new in form["yes"])


@pytest.mark.parametrize("text", changes()["unsaid"]["yes"])
def test_what_might_change_has_not_changed(text):
    assert not list(found_changes(text))


@pytest.mark.parametrize("text", changes()["unsaid"]["no"])
def test_what_has_changed_is_read_as_a_change(text):
    assert list(found_changes(text))


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("at 9:30", {("time", "")}),
        ("next Wednesday", {("date", "")}),
        ("on 4 May", {("date", "")}),
        ("1,050 euros", {("money", "")}),
        ("250 requests per minute", {("count", "request")}),
        ("60 minutes", {("count", "duration")}),
        ("the 7th floor", {("nth", "floor")}),
        ("room 318", {("numbered", "room")}),
        ("Ubuntu 24.04", {("numbered", "ubuntu")}),
        ("30", {("number", "")}),
        ("Svelte", {("name", "")}),
        ("something else", set()),
    ],
)
def test_values_are_of_the_same_kind_when_they_say_the_same_of_a_thing(words, kinds):
    assert {kind.bare for kind in kinds_in(words)} == kinds
