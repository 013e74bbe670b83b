"""Every rule of screening meets its own examples and leaves its counter-examples alone."""

import tomllib
from importlib import resources

import pytest

from noosphere.guard.fold import fold
from noosphere.guard.reading import Reading
from noosphere.guard.rulebook import FAMILIES, load, rulebook
from noosphere.guard.screen import screen

FOLDER = resources.files("noosphere.guard")
RULES = [
    rule
    for name in FAMILIES
    for rule in tomllib.loads(FOLDER.joinpath("rules", f"{name}.toml").read_text(encoding="utf-8"))["rule"]
]


@pytest.mark.parametrize(("rule", "text"), [(r["id"], text) for r in RULES for text in r["yes"]])
def test_an_example_meets_its_rule(rule, text):
    assert rule in screen(text).hits


@pytest.mark.parametrize(("rule", "text"), [(r["id"], text) for r in RULES for text in r["no"]])
def test_a_counter_example_does_not_meet_its_rule(rule, text):
    assert rule not in screen(text).hits


@pytest.mark.parametrize("text", [text for r in RULES for text in r["no"]])
def test_no_counter_example_of_any_rule_is_hostile(text):
    assert not screen(text).hostile


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["id"])
def test_every_rule_says_what_it_is(rule):
    assert rule["reason"]
    assert 0 < rule["weight"] <= 2
    assert rule.get("says") or rule.get("forms") or rule.get("measure")
    assert rule["yes"]
    assert rule["no"]


def test_rules_have_ids_of_their_own():
    assert len({rule["id"] for rule in RULES}) == len(RULES) == len(rulebook().rules)


def test_a_phrase_that_marks_nothing_is_refused():
    rule = {"id": "x", "reason": "r", "weight": 1.0, "says": ["one two"]}
    with pytest.raises(ValueError, match="mark exactly one"):
        load([{"family": "f", "rule": [rule]}], {}, "0")


@pytest.mark.parametrize(
    ("said", "text", "found"),
    [
        ("< !open doors", "Open doors. Go.", True),
        ("< !open doors", "Please open doors.", False),
        ("< ..1 !open doors", "Please open doors.", True),
        ("!open ..1 doors", "open the doors", True),
        ("!open ..1 doors", "open all the doors", False),
        ("~3 doors !open", "doors are open", True),
        ("~3 doors !open", "doors that nobody has seen open", False),
    ],
)
def test_a_phrase_says_where_its_words_may_stand(said, text, found):
    rule = {"id": "x", "reason": "r", "weight": 1.0, "says": [said]}
    rules = load([{"family": "f", "rule": [rule]}], {}, "0")
    ((_, phrase),) = rules.keyed["open"]
    reading = Reading(fold(text), rules)
    assert bool(phrase.find(reading.places, reading.starts, None)) is found
