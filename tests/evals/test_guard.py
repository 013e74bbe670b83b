"""The measurement of screening: groups, intervals, and bars that can be missed."""

import pytest

from evals import guard


def verdicts(group, scores):
    return [guard.Verdict("source", "kind", group, 50, score, 100.0) for score in scores]


@pytest.mark.parametrize(
    ("found", "n", "low", "high"), [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (0, 0, 0, 1)]
)
def test_the_interval_of_a_share_is_that_of_wilson(found, n, low, high):
    assert guard.wilson(found, n) == pytest.approx((low, high), abs=1e-4)


def test_bare_instructions_are_a_group_of_their_own():
    assert guard.group_of("bipia_text", attack=True) == guard.UNMARKED
    assert guard.group_of("deepset", attack=True) == guard.MARKED
    assert guard.group_of("deepset", attack=False) == guard.HARD
    assert guard.group_of("locomo_turn", attack=False) == guard.TALK


def test_a_bar_that_is_missed_says_so():
    good = guard.report([*verdicts(guard.MARKED, [0.9] * 4), *verdicts(guard.TALK, [0.0] * 4)], 0.5)
    bad = guard.report([*verdicts(guard.MARKED, [0.9, 0.1]), *verdicts(guard.TALK, [0.5, 0.0])], 0.5)
    assert "MISSED" not in "".join(line for line in good.splitlines() if line.startswith(("| marked", "| chat")))
    assert sum("MISSED" in line for line in bad.splitlines() if line.startswith(("| marked", "| chat"))) == 2


def test_a_group_without_texts_meets_no_bar():
    assert "MISSED" in guard.report([], 0.5)
