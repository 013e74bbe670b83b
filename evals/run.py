"""Running: every system answers every case; each case's answers are kept, so an interrupted run goes on."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.datasets import beam, locomo, locomo_plus, longmemeval, memdaily
from evals.datasets.case import pooled
from evals.metrics import measure
from evals.systems.baselines import Dense, Fts5, Hybrid
from evals.systems.cache import Remembered
from evals.systems.product import Product

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from evals.datasets.case import Case, Question
    from evals.systems.system import System
    from noosphere.providers.ports import Embedder

DEPTH = 50  # of each ranking that is kept
EVERY_LIFE = 8  # of MemDaily: 200 of 1,600, as many questions

DATASETS: dict[str, Callable[[Path], Iterator[Case]]] = {
    "locomo": locomo.read,
    "locomo-uncorrected": lambda folder: locomo.read(folder, corrected=False),
    "locomo-pooled": lambda folder: iter([pooled("pooled", locomo.read(folder))]),
    "longmemeval": longmemeval.read,
    "beam": beam.read,
    "locomo-plus": locomo_plus.read,
    "memdaily": memdaily.read,
    "memdaily-some": lambda folder: islice(memdaily.read(folder), 0, None, EVERY_LIFE),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """One question answered by one system: the ranking and what it is worth, by turns and by sessions."""

    dataset: str
    system: str
    case: str
    question: str
    kind: str
    scored: bool
    abstain: bool
    ranked: list[str]
    turn: dict[str, float]
    session: dict[str, float]


def encoder(cache: Path) -> Embedder:
    """The product's own encoder, remembering its vectors between runs."""
    from noosphere.providers.embed.encoder import Encoder

    return Remembered(Encoder(), cache / "encoder.db")


def multilingual(cache: Path) -> Embedder:
    """The multilingual encoder, remembering its vectors between runs."""
    from noosphere.providers.embed import files
    from noosphere.providers.embed.encoder import Pooled

    return Remembered(Pooled(files.MULTILINGUAL), cache / "multilingual.db")


def systems(names: Iterable[str], cache: Path) -> list[System]:
    """The systems of these names; models are loaded only when one needs them."""
    wanted = list(names)
    model = encoder(cache) if set(wanted) - {"fts5", "noosphere/static", "noosphere/keyword", MULTILINGUAL} else None
    known: dict[str, Callable[[], System]] = {
        "fts5": Fts5,
        "dense": lambda: Dense(_need(model)),
        "hybrid": lambda: Hybrid(_need(model)),
        "noosphere": lambda: Product("noosphere", model),
        "noosphere/deep": lambda: Product("noosphere/deep", model, rerank="deep"),
        "noosphere/people": lambda: Product("noosphere/people", model, by_people=True),
        "noosphere/keyword": lambda: Product("noosphere/keyword", None, semantic="off"),
        "noosphere/semantic": lambda: Product("noosphere/semantic", model, lanes=("semantic",)),
        "noosphere/static": lambda: Product("noosphere/static", None, semantic="static"),
        MULTILINGUAL: lambda: Product(MULTILINGUAL, multilingual(cache)),
    }
    return [known[name]() for name in wanted]


MULTILINGUAL = "noosphere/multilingual"
SYSTEMS = (
    "fts5",
    "dense",
    "hybrid",
    "noosphere",
    "noosphere/deep",
    "noosphere/people",
    "noosphere/keyword",
    "noosphere/semantic",
    "noosphere/static",
)  # of every run; the multilingual one only when named
POOLED_ONLY = {"noosphere/people"}  # a filter on participants says something only where several talks share a mind


def _need(model: Embedder | None) -> Embedder:
    if model is None:
        raise AssertionError
    return model


def run(dataset: str, data: Path, chosen: list[System], out: Path, tick: Callable[[str], None]) -> Iterator[Answer]:
    """Answer every question of a dataset with every system; what `out` holds already is not asked again."""
    for case in DATASETS[dataset](data):
        for system in chosen:
            if system.name in POOLED_ONLY and len(case.talks) == 1:
                continue
            kept = out / dataset / system.name.replace("/", "~") / f"{case.id.replace('/', '~')}.json"
            if kept.exists():
                rows: list[dict[str, Any]] = json.loads(kept.read_text(encoding="utf-8"))
                answers = [Answer(**row) for row in rows]
            else:
                answers = list(_ask(dataset, system, case))
                _keep(kept, answers)
            yield from answers
            tick(f"{dataset} {case.id} {system.name}")


def _ask(dataset: str, system: System, case: Case) -> Iterator[Answer]:
    rooms = case.session_of()
    with tempfile.TemporaryDirectory() as scratch, system.fill(case, Path(scratch)) as asker:
        for question in case.questions:
            yield _answer(dataset, system.name, case.id, question, asker.rank(question, DEPTH), rooms)


def _answer(
    dataset: str, system: str, case: str, question: Question, ranked: list[str], rooms: dict[str, str]
) -> Answer:
    by_session = list(dict.fromkeys(rooms[turn] for turn in ranked))
    gold_sessions = frozenset(rooms[turn] for turn in question.gold)
    return Answer(
        dataset=dataset,
        system=system,
        case=case,
        question=question.id,
        kind=question.kind,
        scored=question.scored and bool(question.gold),
        abstain=question.abstain,
        ranked=ranked,
        turn=measure(ranked, question.gold) if question.gold else {},
        session=measure(by_session, gold_sessions) if gold_sessions else {},
    )


def _keep(path: Path, answers: list[Answer]) -> None:
    """Write a case's answers whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".part")
    fields = Answer.__dataclass_fields__
    half.write_text(json.dumps([{f: getattr(a, f) for f in fields} for a in answers]), encoding="utf-8")
    half.replace(path)
