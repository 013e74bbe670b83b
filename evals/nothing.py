"""`python -m evals nothing`: whether "nothing relevant" is said when it should be, through the product.

Three kinds of questions have no answer in the mind they are put to: those of the next conversation (its answerable
ones), LoCoMo's adversarial ones (about the wrong person: there the evidence is in the mind, the answer is not) and
those that LongMemEval and BEAM mark as not answerable. Each is told from the answerable questions of its own set.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evals import run
from evals.confidence import STRANGERS
from evals.fit import SETS, SETS_OF, product_of
from evals.metrics import auc, interval
from noosphere.recall.confidence import LOOKED_AT, is_sure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evals.datasets.case import Case, Question
    from noosphere.mind import Mind
    from noosphere.recall.weights import Grade

GRADES: tuple[Grade, ...] = ("keyword", "static", "multilingual", "encoder", "interaction")
KEPT = 0.95  # of the answerable questions, in the second figure


@dataclass(frozen=True, slots=True)
class Asked:
    """A question put to a mind.

    Attributes:
        kind: `answerable`, `another mind's`, `adversarial` or `abstention`.
        p: of the surest of the best hits, 0 without one.
        answered: whether the product gives hits at its default.
    """

    dataset: str
    kind: str
    p: float
    answered: bool


def main(data: Path, cache: Path, grades: Sequence[Grade] = GRADES) -> None:
    """Print, by grade and set, how well each kind is told from the answerable questions."""
    print(
        "| grade | set | questions without an answer | n + answerable | AUC | answered when 95 % are kept | answered |"
    )
    print("|---" * 7 + "|")
    for grade in grades:
        rows = list(collect(grade, data, cache))
        for name in SETS_OF.get(grade, SETS):
            of_set = [row for row in rows if row.dataset == name]
            for line in _lines(grade, name, of_set):
                print(line, flush=True)


def collect(grade: Grade, data: Path, cache: Path) -> Iterator[Asked]:
    """Fill a mind with each case, and ask it what it can answer and what it cannot."""
    product = product_of(grade, cache)
    for dataset in SETS_OF.get(grade, SETS):
        cases = list(run.DATASETS[dataset](data))
        for case, other in zip(cases, cases[1:] + cases[:1], strict=True):
            strangers = [q for q in other.questions if kind_of(q) == "answerable"][:STRANGERS]
            with tempfile.TemporaryDirectory() as scratch, product.fill(case, Path(scratch)) as asker:
                yield from _ask_all(asker.mind, case, strangers, dataset, grade)


def kind_of(question: Question) -> str | None:
    """Which kind a question is of for the mind of its own case; None for one that tells nothing."""
    if question.abstain:
        return "abstention"
    if not question.scored:
        return "adversarial" if question.kind == "adversarial" else None
    return "answerable" if question.gold else None


def _ask_all(mind: Mind, case: Case, strangers: Sequence[Question], dataset: str, grade: Grade) -> Iterator[Asked]:
    own = [(kind, q) for q in case.questions if (kind := kind_of(q)) is not None]
    for kind, question in [*own, *(("another mind's", q) for q in strangers)]:
        hits = mind.rank(
            question.text,
            LOOKED_AT,
            now=question.at,
            rerank="deep" if grade == "interaction" else "fast",
            unsure=True,
        )
        surest = max((hit.p or 0.0 for hit in hits), default=0.0)
        yield Asked(dataset, kind, surest, is_sure(surest, grade))


def _lines(grade: Grade, dataset: str, rows: Sequence[Asked]) -> Iterator[str]:
    own = [row for row in rows if row.kind == "answerable"]
    hidden = [float(not row.answered) for row in own]
    low, high = interval(hidden)
    yield (
        f"| {grade} | {dataset} | *answerable, hidden at the default* | {len(own)} | | | "
        f"{100 * np.mean(hidden):.1f} ({100 * low:.1f} to {100 * high:.1f}) |"
    )
    bar = float(np.quantile([row.p for row in own], 1 - KEPT))
    for kind in ("another mind's", "adversarial", "abstention"):
        found = [row for row in rows if row.kind == kind]
        if not found:
            continue
        answered = [float(row.answered) for row in found]
        low, high = interval(answered)
        yield (
            f"| {grade} | {dataset} | {kind} | {len(found)} + {len(own)} | "
            f"{auc([r.p for r in own], [r.p for r in found]):.3f} | "
            f"{100 * np.mean([r.p >= bar for r in found]):.0f} | "
            f"{100 * np.mean(answered):.0f} ({100 * low:.0f} to {100 * high:.0f}) |"
        )
