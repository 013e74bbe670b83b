"""`python -m evals truth`: all parts through a mind with its own embedders; what is current, past, wrongly retired.

A question is judged by the places of memories: a memory stands where it or a fact drawn from it is first shown.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from evals.metrics import interval, mean
from evals.truth import updates
from evals.truth.cases import History, Question, half
from noosphere import NotFound, open_mind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere import Mind

COMMON = 30  # kinds of failures that are named
SHOWN = 20  # more than any history has
FOR_DECOYS = ("lookalikes", "other-subject", "set-valued")  # themes in which little or nothing is ever retired
NAMES = {
    "current": "current value first",
    "absent": "retired value absent",
    "as_of": "as-of right",
    "history": "history found",
    "decoys": "decoys wrongly retired",
    "found": "right one shown at all",
    "precision": "retirements: precision",
    "recall": "retirements: recall",
}


def main(data: Path, cache: Path) -> None:
    """Print the parts, apart, and beside them BEAM's knowledge updates and contradictions where the data is."""
    for name in os.environ.get("TRUTH_HALVES", "own independent fresh everyday").split():
        scores, failed = measure(half(name))
        print(f"\n{name}: {len(half(name))} histories")
        for key, label in NAMES.items():
            low, high = interval(scores[key])
            print(
                f"  {label:26} {100 * mean(scores[key]):5.1f}  [{100 * low:.1f}, {100 * high:.1f}]  {len(scores[key])}"
            )
        if name == "own" or os.environ.get("TRUTH_VERBOSE"):
            print("\n".join(failed), file=sys.stderr)
        else:
            themes = Counter(line.split("\t")[0] for line in failed)
            print("  failures by kind:", dict(themes.most_common(COMMON)))
    updates.main(data, cache)


def measure(histories: list[History]) -> tuple[dict[str, list[float]], list[str]]:
    """Scores by measure, and a line for each failure."""
    scores: dict[str, list[float]] = defaultdict(list)
    failed: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for history in histories:
            with open_mind(Path(folder) / f"{history.id}.db", embedder=None) as mind:
                places = tell(mind, history)
                for question in history.questions:
                    for key, value in _judge(mind, history, question, places).items():
                        scores[key].append(value)
                        if not value:
                            failed.append(f"{history.theme}/{key}\t{history.id}\t{question.ask}\t{question.as_of}")
                _decoys(mind, history, places, scores, failed)
                _retirements(mind, history, places, scores)
    return scores, failed


def tell(mind: Mind, history: History) -> list[set[str]]:
    """Tell a mind a history; the ids that stand for each of its memories."""
    places: list[set[str]] = []
    for text, said_at, speaker in history.memories:
        outcome = mind.remember(text, said_at=said_at, speaker=None if speaker == "user" else speaker)
        places.append({outcome.id, *getattr(outcome, "drawn", ())})
    mind.flush()  # else what is found by meaning depends on how far the worker is
    return places


def _judge(mind: Mind, history: History, question: Question, places: list[set[str]]) -> dict[str, float]:
    options = {"as_of": question.as_of} if question.kind == "as_of" else {}
    if question.kind == "history":
        options = {"include_past": True}
    hits = mind.rank(question.ask, SHOWN, now=question.now, unsure=True, **options)
    shown = [place for hit in hits for place, ids in enumerate(places) if hit.id in ids]
    right = [n for n, place in enumerate(shown) if place in question.right]
    wrong = _wrong(question, shown)
    first = first_of(question, shown)
    if question.kind != "current":
        return {question.kind: float(first)}
    retired = retired_in(history, question)
    scores = {"current": float(first), "found": float(bool(right))}
    if retired:
        scores["absent"] = float(not any(shown[n] in retired for n in wrong))
    return scores


def first_of(question: Question, shown: Sequence[int]) -> bool:
    """Whether a right place is shown, and before every wrong one."""
    right = next((n for n, place in enumerate(shown) if place in question.right), None)
    wrong = _wrong(question, shown)
    return right is not None and (not wrong or right < wrong[0])


def _wrong(question: Question, shown: Sequence[int]) -> list[int]:
    return [n for n, place in enumerate(shown) if place in question.wrong and place not in question.right]


def retired_in(history: History, question: Question) -> set[int]:
    """The places that must not be shown as current: wrong, and not true of something else at the same time.

    A decoy holds, and so does what answers another question asked at the same time. Where a history is there for
    its decoys, a wrong place is a lookalike unless it held on a day before what replaced it was said.
    """
    retired = set(question.wrong) - _standing(history, question.now)
    return retired & _replaced(history) if history.theme in FOR_DECOYS else retired


def _standing(history: History, now: str) -> set[int]:
    """The decoys, and what is right at a time."""
    standing = {place for group in history.decoys for place in group}
    for question in history.questions:
        if question.kind == "current" and question.now == now:
            standing.update(question.right)
    return standing


def _replaced(history: History) -> set[int]:
    """What was right on a day on which something that is wrong for that day was not yet said."""
    replaced: set[int] = set()
    for question in history.questions:
        if question.as_of is not None:
            day = _moment(question.as_of)
            if any(_moment(history.memories[place][1]) > day for place in question.wrong):
                replaced.update(question.right)
    return replaced


def _retirements(mind: Mind, history: History, places: list[set[str]], scores: dict[str, list[float]]) -> None:
    """Of what is over, how much was retired; of what was retired and is labelled, how much is over."""
    asked = [question for question in history.questions if question.kind == "current"]
    if not asked:
        return
    now = max(question.now for question in asked)
    over = {place for question in asked if question.now == now for place in retired_in(history, question)}
    gone = {n for n, ids in enumerate(places) if all(not _holds(mind, memory, _moment(now)) for memory in ids)}
    scores["recall"] += [float(place in gone) for place in sorted(over)]
    scores["precision"] += [float(place in over) for place in sorted(gone & (over | _standing(history, now)))]


def _decoys(
    mind: Mind, history: History, places: list[set[str]], scores: dict[str, list[float]], failed: list[str]
) -> None:
    latest = max(_moment(said_at) for _, said_at, _ in history.memories) + timedelta(days=1)
    for group in history.decoys:
        for place in group:
            gone = all(not _holds(mind, memory, latest) for memory in places[place])
            scores["decoys"].append(float(gone))
            if gone:
                failed.append(f"{history.theme}/decoy\t{history.id}\t{history.memories[place][0]}\t")


def _holds(mind: Mind, id: str, at: datetime) -> bool:
    try:
        thing = mind.get(id)
    except NotFound:
        return False
    if thing.status not in ("draft", "active", "canonical") or thing.holds_from is None:
        return False
    return thing.holds_to is None or thing.holds_to > at


def _moment(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
