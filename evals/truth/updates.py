"""`python -m evals updates`: BEAM's knowledge updates and contradictions on the dev chats; which statement ranks first.

Each question has an older and a newer statement in the talk. Before: the turns are recorded, and nothing is known of
slots. After: the same exchanges were learnt from by rules as well, so that a newer value ends an older one. A statement
stands where its turn, or a memory learnt from that turn, is first shown. Few questions: read the intervals.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.datasets import beam
from evals.metrics import difference, interval, mean
from noosphere import Settings, Turn, open_mind

if TYPE_CHECKING:
    from evals.datasets.case import Case, Sitting
    from noosphere import Mind

SHOWN = 50
SIDES = {
    "knowledge_update": ("original_info", "updated_info"),
    "contradiction_resolution": ("first_statement", "second_statement"),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the turns of its older and its newer statement."""

    id: str
    kind: str
    text: str
    older: frozenset[str]
    newer: frozenset[str]


def main(data: Path, _cache: Path) -> None:
    """Print both states and their difference, by kind."""
    if not (data / "beam").is_dir():
        print("\nBEAM is not here: knowledge updates and contradictions are not measured")
        return
    scores = measure(data)
    for kind in SIDES:
        print(f"\nBEAM dev, {kind}: newer above older, where either is among the first {SHOWN}")
        before, after = scores[kind, "before"], scores[kind, "after"]
        for name, found in (("before", before), ("after", after)):
            low, high = interval(found)
            print(f"  {name:26} {100 * mean(found):5.1f}  [{100 * low:.1f}, {100 * high:.1f}]  {len(found)}")
        change, low, high = difference(after, before)
        print(f"  {'difference':26} {100 * change:+5.1f}  [{100 * low:+.1f}, {100 * high:+.1f}]")
        for name in ("before", "after"):
            both = scores[kind, f"{name}, both in ten"]
            print(f"  {f'both in the first ten, {name}':26} {100 * mean(both):5.1f}  {len(both)}")


def measure(data: Path) -> dict[tuple[str, str], list[float]]:
    """Scores by kind and state, in the same order of questions."""
    scores: dict[tuple[str, str], list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for case in beam.read(data):
            asked = _asked(data, case)
            if not asked:
                continue
            placed = [
                _places(Path(folder) / f"{case.id}-{state}.db", case, asked, learning=state == "after")
                for state in ("before", "after")
            ]
            for question, before, after in zip(asked, *placed, strict=True):
                if before == after == (None, None):
                    continue
                for state, place in (("before", before), ("after", after)):
                    scores[question.kind, state].append(float(_first(place)))
                    ten = all(one is not None and one < 10 for one in place)  # noqa: PLR2004  (the first ten)
                    scores[question.kind, f"{state}, both in ten"].append(float(ten))
    return scores


def _first(place: tuple[int | None, int | None]) -> bool:
    older, newer = place
    return newer is not None and (older is None or newer < older)


def _asked(data: Path, case: Case) -> list[Asked]:
    with gzip.open(data / "beam" / "100K" / f"{case.id}.json.gz", "rt", encoding="utf-8") as file:
        questions: dict[str, list[dict[str, Any]]] = json.load(file)["questions"]
    order = {turn.id: n for n, turn in enumerate(turn for s in case.sittings for turn in s.turns)}
    found: list[Asked] = []
    for kind, names in SIDES.items():
        for n, entry in enumerate(questions.get(kind, ())):
            sides = [{str(i) for i in (entry["source_chat_ids"] or {}).get(name, ())} & order.keys() for name in names]
            if not all(sides) or sides[0] & sides[1]:
                continue
            older, newer = sorted(sides, key=lambda side: min(order[i] for i in side))
            found.append(Asked(f"{case.id}/{kind}/{n}", kind, entry["question"], frozenset(older), frozenset(newer)))
    return found


def _places(path: Path, case: Case, asked: list[Asked], *, learning: bool) -> list[tuple[int | None, int | None]]:
    """Where the older and the newer statement of each question are first shown."""
    with open_mind(path, settings=Settings(background=False, semantic="static")) as mind:
        said: dict[str, set[str]] = defaultdict(set)
        for sitting in case.sittings:
            _learn(mind, sitting, said) if learning else _record(mind, sitting)
        mind.flush()
        return [_place(mind, question, said) for question in asked]


def _record(mind: Mind, sitting: Sitting) -> None:
    turns = [
        Turn(key=t.id, speaker=t.speaker, text=t.text, at=t.at, speaker_role=t.role) for t in sitting.turns if t.text
    ]
    mind.record(sitting.id, turns)


def _learn(mind: Mind, sitting: Sitting, said: dict[str, set[str]]) -> None:
    """Hand the exchanges of a sitting over one by one, and note from which turn each memory was learnt."""
    for turn in sitting.turns:
        if not turn.text:
            continue
        side = "user" if turn.role == "user" else "assistant"
        report = mind.cognify(
            {
                side: turn.text,
                f"{side}_key": turn.id,
                f"{side}_name": turn.speaker,
                "conversation": sitting.id,
                "key": turn.id,
                "said_at": turn.at,
            }
        )
        for learnt in report.learnt:
            said[learnt.id].add(turn.id)


def _place(mind: Mind, question: Asked, said: dict[str, set[str]]) -> tuple[int | None, int | None]:
    hits = mind.rank(question.text, SHOWN, unsure=True)
    shown = [{hit.turn_key} if hit.turn_key is not None else said[hit.id] for hit in hits]
    older, newer = (
        next((n for n, turns in enumerate(shown) if turns & side), None) for side in (question.older, question.newer)
    )
    return older, newer
