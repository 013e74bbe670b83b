"""What is learnt from the exchanges written with the cues."""

import json

import pytest
from evals.learning.cases import own
from evals.learning.junk import LABELS, agreement
from evals.learning.measure import measure
from evals.metrics import mean


def test_the_own_half_is_learnt_and_nothing_else():
    scores = measure(own())
    assert mean(scores.by["precision"]) >= 0.95, scores.failed
    assert mean(scores.by["recall"]) >= 0.9, scores.failed
    assert mean(scores.by["routing"]) >= 0.95, scores.failed
    assert mean(scores.by["source"]) == 1.0
    assert scores.junk == 0


def test_a_label_of_junk_is_given_twice_and_names_no_text():
    rows = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    assert len({row["key"] for row in rows}) == len(rows) == 200
    assert all(row.keys() == {"key", "first", "second"} for row in rows)
    assert all(isinstance(row[when], bool) for row in rows for when in ("first", "second"))


def test_agreement_beyond_chance_is_one_when_all_agree_and_none_by_chance_alone():
    assert agreement([(True, True), (False, False)]) == (1.0, 1.0)
    assert agreement([(True, True), (True, False), (False, True), (False, False)]) == (0.5, pytest.approx(0.0))
