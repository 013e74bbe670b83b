"""`python -m evals fit`: the weights of the order (recall/weights.toml), from the dev halves, through the product.

Every question puts its gold turns against the rest of its pool; the weights make the gold likely (softmax.py), and each
set counts the same. Printed beside: what the weights reach when each fold of cases is left out.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evals import run
from evals.grades import refit
from evals.metrics import ndcg, recall, recall_all, recall_any
from evals.softmax import Pools, minimum
from evals.systems.product import Product
from noosphere.recall import pipeline, weights
from noosphere.recall.company import company
from noosphere.recall.features import features
from noosphere.recall.lead import MATCH, lead, turns_before

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from evals.datasets.case import Case, Question
    from noosphere.mind import Mind
    from noosphere.model.trace import Step
    from noosphere.model.unit import Unit
    from noosphere.recall.weights import Grade

SETS = ("locomo", "longmemeval", "beam")
SETS_OF: dict[Grade, tuple[str, ...]] = {
    "remark": ("locomo-plus",),
    "multilingual": ("locomo",),
}
FOLDS = 6
MILDER = {"role": 0.5}  # of what is fitted: the sets ask for what users said; with half of it they lose nothing
ROUNDS = 2  # by turns, of weights and of what depends on the order by them
NAMES: dict[Grade, tuple[str, ...]] = {
    "keyword": (
        *("keyword", "speaker", "asks", "asking", "answers", "time", "role", "standing", "opens", "length"),
        *("instruction", "preference", "names", "told_time", "told_number", "lead", "company"),
    ),
    "static": ("semantic", "next"),
    "encoder": (),
    "interaction": ("interaction",),
}
GRADES: tuple[Grade, ...] = (*NAMES, "remark")
REMARKS = ("semantic", "next", "asks")  # the features of a remark, fitted on LoCoMo-plus
SEMANTIC: dict[Grade, str] = {
    "keyword": "off",
    "static": "static",
    "encoder": "encoder",
    "multilingual": "encoder",
    "interaction": "encoder",
    "remark": "encoder",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One question's pool: its features, shape (units, features), and which units are gold.

    The lead of the turn before and the company of a unit depend on the order: their columns are 0 until there is one.

    Attributes:
        before: where in the pool the turn before each is, between people.
        rooms: the session of every turn of the case.
    """

    dataset: str
    case: str
    question: Question
    units: list[Unit]
    before: list[int | None]
    rooms: dict[str, str]
    names: tuple[str, ...]
    columns: NDArray[np.float64]
    gold: NDArray[np.bool_]

    @property
    def keys(self) -> list[str]:
        """The turns of the pool."""
        return [unit.turn_key or "" for unit in self.units]

    def placed(self, weight: NDArray[np.float64]) -> Row:
        """The same, with the lead and the company that units have in the order by these weights."""
        row = self._with("lead", lambda columns: lead(self.before, self._matches(columns, weight)))
        return row._with("company", lambda columns: company(self.units, (columns @ weight).tolist()))  # noqa: SLF001

    def _with(self, name: str, made: Callable[[NDArray[np.float64]], list[float]]) -> Row:
        """The same, with a column made of the others."""
        if name not in self.names:
            return self
        at, columns = self.names.index(name), self.columns.copy()
        columns[:, at] = 0.0
        columns[:, at] = made(columns)
        return replace(self, columns=columns)

    def _matches(self, columns: NDArray[np.float64], weight: NDArray[np.float64]) -> list[float]:
        match = [self.names.index(name) for name in MATCH if name in self.names]
        return (columns[:, match] @ weight[match]).tolist()

    def ordered(self, weight: NDArray[np.float64]) -> list[str]:
        """The turns, best first."""
        keys = self.keys
        return [keys[n] for n in np.argsort(-(self.placed(weight).columns @ weight), kind="stable")]

    def reached(self, weight: NDArray[np.float64]) -> dict[str, float]:
        """What the order by these weights is worth, by turns and by sessions."""
        best, gold, rooms = self.ordered(weight), self.question.gold, self.rooms
        sessions, wanted = list(dict.fromkeys(rooms[turn] for turn in best)), frozenset(rooms[turn] for turn in gold)
        return {
            "r@10": recall(best, gold, 10),
            "all@5": recall_all(best, gold, 5),
            "session hit@1": recall_any(sessions, wanted, 1),
            "session ndcg@10": ndcg(sessions, wanted),
        }


def names(grade: Grade) -> list[str]:
    """The features fitted in a grade."""
    order: list[Grade] = ["keyword", "static", "encoder", "interaction"]
    if grade == "remark":
        return list(REMARKS)
    return [name for each in order[: order.index(grade) + 1] for name in NAMES[each]]


def product_of(grade: Grade, cache: Path) -> Product:
    """The product as a grade measures it."""
    make = run.multilingual if grade == "multilingual" else run.encoder
    return Product(grade, make(cache) if SEMANTIC[grade] == "encoder" else None, semantic=SEMANTIC[grade])


def collect(grade: Grade, data: Path, cache: Path, datasets: Sequence[str] = SETS) -> list[Row]:
    """Fill a mind with every case of the sets, and keep the pool of every scored question of this grade."""
    product = product_of(grade, cache)
    found: list[Row] = []
    for dataset in datasets:
        for case in run.DATASETS[dataset](data):
            rooms = case.session_of()
            with tempfile.TemporaryDirectory() as scratch, product.fill(case, Path(scratch)) as asker:
                asked = [q for q in case.questions if q.scored and q.gold]
                rows = [_row(dataset, case, q, asker.mind, grade, rooms) for q in asked]
            found += [row for row in rows if row is not None]
    return found


def _row(dataset: str, case: Case, question: Question, mind: Mind, grade: Grade, rooms: dict[str, str]) -> Row | None:
    rerank = "deep" if grade == "interaction" else "fast"
    plan = mind.plan(question.text, 50, now=question.at, rerank=rerank)
    steps: list[Step] = []
    gathering = pipeline.gather_all([mind.reader], plan, steps)
    if gathering.grade != grade:
        return None  # a remark, or a question where remarks are wanted
    units, used = gathering.pool.units, tuple(names(grade))
    found = features(plan, gathering.pool, mind.reader.mind.zone)
    columns = np.array([found.get(name, [0.0] * len(units)) for name in used]).T.reshape(len(units), -1)
    gold = np.array([unit.turn_key in question.gold for unit in units], bool)
    before = turns_before(gathering.pool)
    return Row(dataset, case.id, question, units, before, rooms, used, columns, gold)


def solve(groups: Sequence[Sequence[Row]]) -> NDArray[np.float64]:
    """The weights that make gold likeliest, every group counting the same; lead and company as the last gave them.

    What leans on how the sets were made counts less than it was fitted to.
    """
    weight: NDArray[np.float64] = _solve(groups, np.zeros(len(groups[0][0].names)))
    for _ in range(ROUNDS if any({"lead", "company"} & {*row.names} for rows in groups for row in rows) else 0):
        weight = _solve([[row.placed(weight) for row in rows] for rows in groups], weight)
    return weight * [MILDER.get(name, 1.0) for name in groups[0][0].names]


def _solve(groups: Sequence[Sequence[Row]], start: NDArray[np.float64]) -> NDArray[np.float64]:
    return minimum([Pools.of([(row.columns, row.gold) for row in rows]) for rows in groups], start)


def held_out(rows: Sequence[Row], datasets: Sequence[str] = SETS) -> dict[str, dict[str, float]]:
    """What each set reaches when its questions are ordered by weights that have not seen their fold of cases."""
    cases = list(dict.fromkeys((row.dataset, row.case) for row in rows))
    fold = {case: number % FOLDS for number, case in enumerate(cases)}
    reached: dict[str, list[dict[str, float]]] = {name: [] for name in datasets}
    for number in range(FOLDS):
        seen = [r for r in rows if fold[r.dataset, r.case] != number]
        weight = solve([[r for r in seen if r.dataset == name] for name in datasets])
        for row in rows:
            if fold[row.dataset, row.case] == number:
                reached[row.dataset].append(row.reached(weight))
    return {
        name: {"n": len(found), **{each: 100 * float(np.mean([row[each] for row in found])) for each in found[0]}}
        for name, found in reached.items()
    }


def main(data: Path, cache: Path, grades: Sequence[Grade] = GRADES) -> None:
    """Fit these grades, print what the folds reach, and write the weights."""
    refit(Path(weights.__file__).with_name("weights.toml"), grades, fitted, data, cache)


def fitted(grade: Grade, data: Path, cache: Path) -> str:
    """Fit one grade, print what the folds reach, and give its section of the weights."""
    datasets = SETS_OF.get(grade, SETS)
    rows = collect(grade, data, cache, datasets)
    weight = solve([[r for r in rows if r.dataset == name] for name in datasets])
    for name, figures in held_out(rows, datasets).items():
        print(f"{grade:12} {name:12} " + "  ".join(f"{k} {v:.1f}" for k, v in figures.items()), flush=True)
    lines = [f"{name} = {value:.3f}" for name, value in zip(names(grade), weight, strict=True)]
    return "\n".join([f"[{grade}]", *lines])
