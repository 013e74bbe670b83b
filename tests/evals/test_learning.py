"""What is learnt from the exchanges written with the cues."""

from evals.learning.cases import own
from evals.learning.measure import measure
from evals.metrics import mean


def test_the_own_half_is_learnt_and_nothing_else():
    scores = measure(own())
    assert mean(scores.by["precision"]) >= 0.95, scores.failed
    assert mean(scores.by["recall"]) >= 0.9, scores.failed
    assert mean(scores.by["routing"]) >= 0.95, scores.failed
    assert mean(scores.by["source"]) == 1.0
    assert scores.junk == 0
