"""The examples of the rules of facts are their tests."""

from datetime import UTC, datetime

import pytest

from noosphere.graph.facts import found_correction, found_slots
from noosphere.graph.facts.rulebook import data, rulebook

SAID = datetime(2026, 3, 2, 12, tzinfo=UTC)
YES = [(rule.id, example) for rule in rulebook().rules for example in rule.yes]
NO = [(rule.id, text) for rule in rulebook().rules for text in rule.no]
CUES = data()["correction"]


@pytest.mark.parametrize(("rule", "example"), YES, ids=[e[0] for _, e in YES])
def test_a_rule_finds_what_its_examples_state(rule, example):
    text, subject, attribute, value = example
    found = found_slots(text, said_at=SAID)
    assert (subject, attribute, value) in {(f.subject, f.attribute, f.value) for f in found}
    assert rule in {f.rule for f in found}


@pytest.mark.parametrize(("rule", "text"), NO, ids=[t for _, t in NO])
def test_a_rule_finds_nothing_in_its_counterexamples(rule, text):
    assert rule not in {f.rule for f in found_slots(text, said_at=SAID)}


def test_every_rule_has_examples_of_both_kinds_and_its_own_id():
    assert all(rule.yes and rule.no for rule in rulebook().rules)
    assert len({rule.id for rule in rulebook().rules}) == len(rulebook().rules)
    assert len({rule.attribute for rule in rulebook().rules}) >= 40


@pytest.mark.parametrize("text", [t for cue in CUES for t in cue["yes"]])
def test_a_cue_of_correction_meets_its_examples(text):
    assert found_correction(text) is not None


@pytest.mark.parametrize("text", [t for cue in CUES for t in cue["no"]])
def test_what_only_looks_like_a_correction_is_none(text):
    assert found_correction(text) is None
