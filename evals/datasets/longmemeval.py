"""LongMemEval-S: a user and an assistant over some fifty sessions a question (Wu et al. 2024, MIT); the dev half.

Both speakers are indexed. Answers may be integers, sessions are not sorted by date, a session id may occur twice in a
haystack, and some gold is dated after the question; only the turns marked `has_answer` are gold.
"""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from evals.datasets.case import Case, Question, Said, Sitting, Talk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def read(folder: Path) -> Iterator[Case]:
    """Read one case per question."""
    with gzip.open(folder / "longmemeval" / "longmemeval_s_dev.json.gz", "rt", encoding="utf-8") as file:
        entries = json.load(file)
    for entry in entries:
        yield _case(entry)


def _case(entry: dict[str, Any]) -> Case:
    gold: set[str] = set()
    sittings: list[Sitting] = []
    dated = zip(entry["haystack_sessions"], entry["haystack_dates"], strict=True)
    for n, (session, date) in enumerate(dated):
        at = _date(date)
        turns: list[Said] = []
        for m, message in enumerate(session):
            turn = Said(f"{n}:{m}", message["role"].capitalize(), message["role"], message["content"], at)
            if turn.text.strip():
                turns.append(turn)
            if message.get("has_answer"):
                gold.add(turn.id)
        sittings.append(Sitting(str(n), at, tuple(turns)))
    abstain = entry["question_id"].endswith("_abs")
    question = Question(
        entry["question_id"],
        entry["question"],
        entry["question_type"],
        frozenset() if abstain else frozenset(gold),
        at=_date(entry["question_date"]),
        abstain=abstain,
        scored=not abstain,
    )
    talk = Talk(entry["question_id"], tuple(sittings), ("User", "Assistant"), one_conversation=False)
    return Case(entry["question_id"], (talk,), (question,))


def _date(text: str) -> datetime:
    return datetime.strptime(text, "%Y/%m/%d (%a) %H:%M").replace(tzinfo=UTC)
