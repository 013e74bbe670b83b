"""The examples of the rules of learning are their tests."""

import pytest

from noosphere.write.cognify import cues, spoken

CUES = cues.data()["cue"]
SKIPS = cues.data()["skip"]
NOISE = [rule for kind in ("block", "line", "paragraph") for rule in spoken.data()[kind]]
BY_ID = {cue.id: cue for cue in (*cues.rulebook().cues, *cues.rulebook().broad)}


def found_by(cue, sentence):
    bare = cues.rulebook().bare(sentence)
    previous = next(c for c in CUES if c["id"] == cue).get("previous", "")
    return BY_ID[cue].meets(bare, frozenset(cues.WORD.findall(bare.lower())), previous)


@pytest.mark.parametrize(("cue", "text"), [(c["id"], t) for c in CUES for t in c["yes"]])
def test_a_cue_meets_its_examples(cue, text):
    assert found_by(cue, text)


@pytest.mark.parametrize(("cue", "text"), [(c["id"], t) for c in CUES for t in c["no"]])
def test_a_cue_passes_over_its_counterexamples(cue, text):
    assert not found_by(cue, text)


def left_out_by(skip, text):
    rule = next(s for s in cues.rulebook().skips if s.id == skip)
    given = next(s for s in SKIPS if s["id"] == skip)
    return any(rule.holds(cues.rulebook().bare(text), "", side, given.get("previous", "")) for side in rule.by)


@pytest.mark.parametrize(("skip", "text"), [(s["id"], t) for s in SKIPS for t in s["yes"]])
def test_a_skip_hinders_its_examples(skip, text):
    assert left_out_by(skip, text)


@pytest.mark.parametrize(("skip", "text"), [(s["id"], t) for s in SKIPS for t in s["no"]])
def test_a_skip_lets_its_counterexamples_pass(skip, text):
    assert not left_out_by(skip, text)


@pytest.mark.parametrize("text", [t for rule in NOISE for t in rule["yes"]])
def test_nothing_is_left_of_what_is_no_speech(text):
    assert spoken.sentences(text) == []


@pytest.mark.parametrize("text", [t for rule in NOISE for t in rule["no"]])
def test_speech_stays_whole(text):
    assert spoken.sentences(text) == [text.removeprefix("- ")]


def test_every_rule_has_examples_of_both_kinds_and_its_own_id():
    rules = [*CUES, *SKIPS, *NOISE]
    assert all(rule["yes"] and rule["no"] for rule in rules)
    assert len({rule["id"] for rule in rules}) == len(rules)
