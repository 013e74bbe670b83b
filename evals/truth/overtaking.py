"""`python -m evals overtaking`: which of two memories to read first (recall/overtaking.toml), fitted on the histories.

Each question about what is so now puts the right memory against those that are over, and against what stands beside
it. Printed: how often the right one comes first, and is the very first, before and after, by part; every history is
judged by weights that were fitted without its fold.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evals.metrics import mean
from evals.truth.cases import half
from evals.truth.measure import SHOWN, first_of, tell
from noosphere import open_mind
from noosphere.recall import later, overtaking, pipeline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from evals.truth.cases import Question
    from noosphere.model.trace import Step
    from noosphere.recall.later import Found

PARTS = ("varied", "own", "everyday", "fresh", "independent")
FOLDS = 5
PENALTY = 3.0
STEPS = 50


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a history: the places of the memories it showed, best first, and what pairs of them share."""

    part: str
    fold: int
    question: Question
    order: tuple[int, ...]
    pairs: tuple[tuple[int, int, tuple[float, ...]], ...]

    def examples(self) -> list[tuple[tuple[float, ...], bool]]:
        """The pairs of which it is known whether the later one should stand first."""
        right, wrong = set(self.question.right), set(self.question.wrong)
        told: list[tuple[tuple[float, ...], bool]] = []
        for older, newer, values in self.pairs:
            if newer in right and older in wrong - right:
                told.append((values, True))
            elif older in right and newer not in right:
                told.append((values, False))
        return told

    def reordered(self, by: NDArray[np.float64]) -> list[int]:
        """The order by some weights."""
        sure = [(older, newer, 1 / (1 + np.exp(-by @ (1.0, *values)))) for older, newer, values in self.pairs]
        return later.before_overtaken(list(self.order), sure)[0]


def main(_data: Path, _cache: Path) -> None:
    """Fit, print what it reaches, and write the weights."""
    rows = [row for part in PARTS for row in _asked(part)]
    names = list(overtaking.features(*[overtaking.told("")] * 3, 0.0))
    fitted = [_fit([row for row in rows if row.fold != fold]) for fold in range(FOLDS)]
    for part in PARTS:
        own = [row for row in rows if row.part == part]
        after = [row.reordered(fitted[row.fold]) for row in own]
        before = [list(row.order) for row in own]
        shares = [_shares(own, orders) for orders in (before, after)]
        print(f"{part:12} n {len(own)}  right before wrong {shares[0][0]:.1f} -> {shares[1][0]:.1f}  "
              f"right at the top {shares[0][1]:.1f} -> {shares[1][1]:.1f}")  # fmt: skip
    by = _fit(rows)
    lines = [f"{name} = {value:.3f}" for name, value in zip(("base", *names), by, strict=True)]
    file = Path(overtaking.__file__).with_name("overtaking.toml")
    head = re.split(r"^\[weights\]\n", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[0]
    file.write_text("\n".join([f"{head}[weights]", *lines, ""]), encoding="utf-8")


def _asked(part: str) -> list[Asked]:
    """Every question about what is so now, put to a mind that was told its history, with nothing put first yet."""
    rows: list[Asked] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, history in enumerate(half(part)):
            with open_mind(Path(folder) / f"{history.id}.db", embedder=None) as mind:
                place = {one: n for n, ids in enumerate(tell(mind, history)) for one in ids}
                for question in history.questions:
                    if question.kind == "current":
                        seen: list[tuple[str, Sequence[Found]]] = []
                        pipeline.later_first = _watcher(seen)
                        try:
                            mind.rank(question.ask, SHOWN, now=question.now, unsure=True)
                        finally:
                            pipeline.later_first = later.later_first
                        found = seen[-1] if seen else (question.ask, ())
                        pairs = [(place[a], place[b], tuple(v.values())) for a, b, v in later.compared(*found)]
                        order = dict.fromkeys(place[hit.id] for _, hit in found[1] if hit.id in place)
                        kept = [pair for pair in pairs if pair[0] != pair[1]]
                        rows.append(Asked(part, number % FOLDS, question, tuple(order), tuple(kept)))
    return rows


def _watcher(seen: list[tuple[str, Sequence[Found]]]):  # noqa: ANN202  (of later_first's type)
    def watch(question: str, found: Sequence[Found], _steps: list[Step]) -> list[Found]:
        seen.append((question, found))
        return list(found)

    return watch


def _fit(rows: Sequence[Asked]) -> NDArray[np.float64]:
    """A logistic over the pairs, its weights kept near 0 in the scale of each feature, by Newton steps."""
    examples = [example for row in rows for example in row.examples()]
    matrix = np.array([(1.0, *values) for values, _ in examples])
    first = np.array([told for _, told in examples], float)
    spread = np.where(matrix.std(0) > 0, matrix.std(0), 1.0)
    scaled, by = matrix / spread, np.zeros(matrix.shape[1])
    penalty = np.full(len(by), PENALTY) * (np.arange(len(by)) > 0)
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-scaled @ by))
        slope = scaled.T @ (p - first) + penalty * by
        by -= np.linalg.solve((scaled.T * (p * (1 - p))) @ scaled + np.diag(penalty), slope)
    return by / spread


def _shares(rows: Sequence[Asked], orders: Sequence[Sequence[int]]) -> tuple[float, float]:
    """In how many of a hundred the right one stands before the wrong, and at the top."""
    before = [first_of(row.question, order) for row, order in zip(rows, orders, strict=True)]
    top = [bool(order) and order[0] in row.question.right for row, order in zip(rows, orders, strict=True)]
    return 100 * mean([float(one) for one in before]), 100 * mean([float(one) for one in top])
