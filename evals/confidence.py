"""`python -m evals confidence`: how sure a match is (recall/confidence.toml), fitted on the dev halves; and how well
it tells a question that has an answer from one put to another's mind.

Every mind of a set is asked its own questions and those of the next mind. A logistic is fitted to what is absolute
about the best hit of each; the sets count the same.
"""  # noqa: D205

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evals import run
from evals.fit import SETS_OF, product_of
from evals.grades import refit
from evals.metrics import auc
from noosphere.recall import confidence
from noosphere.recall.confidence import LOOKED_AT, Evidence
from noosphere.recall.gathering import gather_all
from noosphere.recall.hits import evidence
from noosphere.recall.order import order
from noosphere.store.words.spans import find_spans

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from evals.datasets.case import Case, Question
    from noosphere.mind import Mind
    from noosphere.model.trace import Step
    from noosphere.recall.weights import Grade

STRANGERS = 100  # questions of the next mind, at most
HIDDEN = 0.01  # of a set's answerable questions that may be left without an answer at the default
FITTED = ("locomo", "beam")  # LongMemEval-S has too few minds of enough questions: it checks the fit (evals.nothing)
PARAPHRASE = Evidence(coverage=0.0, density=0.0, words=0.0, unknown=0.0, cosine=0.25, interaction=0.35)
"""What two short sentences that say the same in other words reach: not hidden either, where meaning is measured."""
WORDS = ("density", "words", "unknown")
FIELDS: dict[Grade, tuple[str, ...]] = {
    "keyword": WORDS,
    "static": (*WORDS, "cosine"),
    "multilingual": (*WORDS, "cosine"),
    "encoder": (*WORDS, "cosine"),
    "interaction": (*WORDS, "cosine", "interaction"),
}
PENALTY = 1e-3
STEPS = 50


@dataclass(frozen=True, slots=True)
class Asked:
    """A question put to a mind, whether the mind is its own, and what its best hits showed."""

    dataset: str
    own: bool
    found: tuple[Evidence, ...]

    def best(self, fields: Sequence[str]) -> list[float]:
        """The most of every field over the best hits, behind a 1 for the base."""
        return [1.0, *(max((getattr(e, f) or 0.0 for e in self.found), default=0.0) for f in fields)]


def collect(grade: Grade, data: Path, cache: Path) -> Iterator[Asked]:
    """Ask every mind its own questions and those of the next one."""
    product = product_of(grade, cache)
    for dataset in SETS_OF.get(grade, FITTED):
        cases = list(run.DATASETS[dataset](data))
        for number, case in enumerate(cases):
            other = cases[(number + 1) % len(cases)]
            with tempfile.TemporaryDirectory() as scratch, product.fill(case, Path(scratch)) as asker:
                for question in _answerable(case):
                    yield Asked(dataset, own=True, found=_ask(asker.mind, question, grade))
                for question in _answerable(other)[:STRANGERS]:
                    yield Asked(dataset, own=False, found=_ask(asker.mind, question, grade))


def _answerable(case: Case) -> list[Question]:
    return [q for q in case.questions if q.scored and q.gold and not q.abstain]


def _ask(mind: Mind, question: Question, grade: Grade) -> tuple[Evidence, ...]:
    steps: list[Step] = []
    plan = mind.plan(question.text, LOOKED_AT, now=question.at, rerank="deep" if grade == "interaction" else "fast")
    gathering = gather_all([mind.reader], plan, steps)
    placed = order(plan, gathering.pool, gathering.grade, mind.reader.mind.zone)
    held = [{term for _, _, term in find_spans(p.unit.text, plan.content)} for p in placed]
    return tuple(evidence(p.at, h, plan, gathering) for p, h in zip(placed, held, strict=True))


def solve(rows: Sequence[Asked], fields: Sequence[str]) -> NDArray[np.float64]:
    """The logistic that tells own from strange, every set and side counting the same."""
    matrix = np.array([row.best(fields) for row in rows])
    own = np.array([row.own for row in rows], float)
    sizes = {side: sum((r.dataset, r.own) == side for r in rows) for side in {(r.dataset, r.own) for r in rows}}
    share = np.array([1 / sizes[row.dataset, row.own] for row in rows])
    by = np.zeros(matrix.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-matrix @ by))
        slope = matrix.T @ (share * (p - own)) + PENALTY * by
        curve = (matrix.T * (share * p * (1 - p))) @ matrix + PENALTY * np.eye(len(by))
        by -= np.linalg.solve(curve, slope)
    return by


def main(data: Path, cache: Path, grades: Sequence[Grade] = tuple(FIELDS)) -> None:
    """Fit these grades, print how well own and strange are told apart, and write the file."""
    refit(Path(confidence.__file__).with_name("confidence.toml"), grades, fitted, data, cache)


def fitted(grade: Grade, data: Path, cache: Path) -> str:
    """Fit one grade, print how well own and strange are told apart, and give its section of the file."""
    fields, sets, rows = FIELDS[grade], SETS_OF.get(grade, FITTED), list(collect(grade, data, cache))
    by = solve(rows, fields)
    ps = 1 / (1 + np.exp(-(np.array([row.best(fields) for row in rows]) @ by)))
    least = min(float(np.quantile(ps[_side(rows, name, own=True)], HIDDEN)) for name in sets)
    if grade != "keyword":
        said = Asked("", own=True, found=(PARAPHRASE,)).best(fields)
        least = min(least, float(1 / (1 + np.exp(-np.array(said) @ by))))
    for name in sets:
        own, strange = ps[_side(rows, name, own=True)], ps[_side(rows, name, own=False)]
        false = float(np.mean(strange >= np.quantile(own, 0.05)))
        kept, hidden = 100 * false, 100 * float(np.mean(own < least))
        print(
            f"{grade:12} {name:12} n {len(own)}+{len(strange)}  AUC {auc(own, strange):.3f}  "
            f"false answers at 95 % kept {kept:.0f} %  at the default: hidden {hidden:.1f} %, "
            f"false {100 * float(np.mean(strange >= least)):.0f} %",
            flush=True,
        )
    lines = [f"{name} = {value:.3f}" for name, value in zip(("base", *fields), by, strict=True)]
    return "\n".join([f"[{grade}]", *lines, f"least = {least:.4f}"])


def _side(rows: Sequence[Asked], dataset: str, *, own: bool) -> NDArray[np.bool_]:
    return np.array([row.dataset == dataset and row.own == own for row in rows])
