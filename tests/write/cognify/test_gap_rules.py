"""The examples of the rules of gaps are their tests."""

import pytest

from noosphere.write.cognify import cues, gaps

RULES = gaps.data()["gap"]
BY_ID = {rule.id: rule for rule in gaps.rules().rules}


def missing(rule, sentence):
    bare = cues.rulebook().bare(sentence)
    return BY_ID[rule].missing(bare, frozenset(cues.WORD.findall(bare.lower())))


@pytest.mark.parametrize(("rule", "text", "key"), [(r["id"], *pair) for r in RULES for pair in r["yes"]])
def test_a_rule_meets_its_examples_and_names_what_is_missing(rule, text, key):
    assert missing(rule, text) is not None
    assert [gap.key for gap in gaps.gaps(text)] == [key]


@pytest.mark.parametrize(("rule", "text"), [(r["id"], t) for r in RULES for t in r["no"]])
def test_a_rule_passes_over_its_counterexamples(rule, text):
    assert missing(rule, text) is None
    assert gaps.gaps(text) == []


def test_every_rule_has_examples_of_both_kinds_and_its_own_id():
    assert all(rule["yes"] and rule["no"] for rule in RULES)
    assert len(BY_ID) == len(RULES)


def test_what_is_missing_is_the_same_in_other_words():
    said = ["I wish you could export to PDF!", "Too bad you can't export this to PDF.", "You can't export it to PDF"]
    assert {gap.key for text in said for gap in gaps.gaps(text)} == {"export to pdf"}


def test_nothing_is_missing_in_code_logs_and_recalled_text():
    assert gaps.gaps("```\n# I wish you could export to PDF.\n```\n<recalled-memories>\nI wish you could fly.\n") == []


def test_a_whole_story_is_no_gap():
    assert gaps.gaps(f"I wish you could {'walk the dog and ' * 5}sing") == []
