"""The metrics on cases worked out by hand."""

from __future__ import annotations

import math

import pytest
from evals.compare import compare
from evals.report import HEAD, summary
from evals.run import Answer

from evals import metrics

RANKED = ["a", "b", "c", "d", "e", "f"]
GOLD = frozenset({"b", "e", "x"})


@pytest.mark.parametrize(
    ("measured", "by_hand"),
    [
        (metrics.recall_any(RANKED, GOLD, 1), 0.0),
        (metrics.recall_any(RANKED, GOLD, 2), 1.0),
        (metrics.recall(RANKED, GOLD, 5), 2 / 3),
        (metrics.recall_all(RANKED, GOLD, 6), 0.0),
        (metrics.recall_all(RANKED, frozenset({"b", "e"}), 5), 1.0),
        (metrics.recall_all(RANKED, frozenset({"b", "e"}), 4), 0.0),
        (metrics.reciprocal_rank(RANKED, GOLD), 1 / 2),
        (metrics.reciprocal_rank(RANKED, frozenset({"x"})), 0.0),
    ],
)
def test_a_metric_is_what_it_is_by_hand(measured, by_hand):
    assert measured == pytest.approx(by_hand)


def test_the_ideal_of_ndcg_has_all_of_the_gold():
    gain = 1 / math.log2(3) + 1 / math.log2(6)
    ideal = 1 / math.log2(2) + 1 / math.log2(3) + 1 / math.log2(4)
    assert metrics.ndcg(RANKED, GOLD) == pytest.approx(gain / ideal)
    assert metrics.ndcg(["b", "e", "x"], GOLD) == pytest.approx(1.0)


def test_an_interval_holds_the_mean_and_is_the_same_each_time():
    values = [0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0]
    low, high = metrics.interval(values)
    assert low < metrics.mean(values) < high
    assert (low, high) == metrics.interval(values)
    assert metrics.interval([1.0] * 20) == (1.0, 1.0)


def test_a_paired_difference_looks_at_the_same_questions():
    ours, theirs = [1.0, 1.0, 0.0, 1.0] * 10, [0.0, 1.0, 0.0, 1.0] * 10
    middle, low, high = metrics.difference(ours, theirs)
    assert middle == pytest.approx(0.25)
    assert 0 < low < 0.25 < high
    with pytest.raises(ValueError, match="zip"):
        metrics.difference([1.0], [])


def answer(system, question, good, **fields):
    gold = frozenset({"t"})
    ranked = ["t", "u"] if good else ["u", "v"]
    row = metrics.measure(ranked, gold)
    given = {"kind": "single", "scored": True, "abstain": False, "dataset": "d", "case": "c"} | fields
    return Answer(system=system, question=question, ranked=ranked, turn=row, session=row, **given)


def test_the_summary_counts_scored_questions_and_keeps_abstention_apart():
    rows = [answer("noosphere", f"q{n}", good=n % 2 == 0) for n in range(10)]
    rows += [answer("fts5", f"q{n}", good=False) for n in range(10)]
    rows += [answer("noosphere", "none", good=False, abstain=True, scored=False)]
    found = summary(rows)["d"]["noosphere"]
    assert found["n"] == 10
    assert found["metrics"]["turn r@10"]["mean"] == pytest.approx(0.5)
    assert found["against"]["fts5"]["difference"] == pytest.approx(0.5)


def as_document(rows):
    return {"answers": [{f: getattr(r, f) for f in Answer.__dataclass_fields__} for r in rows]}


def test_the_comparison_names_what_is_beyond_noise_and_only_that():
    before = as_document([answer("noosphere", f"q{n}", good=n < 20) for n in range(60)])
    same = compare(before, before)
    better = compare(before, as_document([answer("noosphere", f"q{n}", good=n < 50) for n in range(60)]))
    hardly = compare(before, as_document([answer("noosphere", f"q{n}", good=n < 21) for n in range(60)]))
    assert same == []
    assert {name.split(" (")[0] for name, *_ in better} == {f"d noosphere {a} {b}" for a, b in HEAD}
    assert all(middle > 0 for _, middle, _, _ in better)
    assert hardly == []
