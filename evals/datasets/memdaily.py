"""MemDaily: what Chinese users tell an assistant about their daily life, and questions about it (Zhang et al. 2024).

Each life is a case of one session, so by sessions only an empty answer is wrong: that is how engines that do not
cut Chinese into words fail. By turns it asks for the right sentences. The dev half.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from evals.datasets.case import Case, Question, Said, Sitting, Talk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WEEKDAY = re.compile(r"周.\s*")


def read(folder: Path) -> Iterator[Case]:
    """Read one case per life."""
    for path in sorted((folder / "memdaily").glob("*.json")):
        for n, life in enumerate(json.loads(path.read_text(encoding="utf-8"))):
            yield _case(path.stem, f"{path.stem}-{n}", life)


def _case(kind: str, name: str, life: dict[str, Any]) -> Case:
    turns = [Said(str(m["mid"]), "User", "user", m["message"], _date(m["time"])) for m in life["message_list"]]
    talk = Talk(name, (Sitting("life", turns[0].at, tuple(turns)),), ("User", "Assistant"), one_conversation=True)
    questions = [
        Question(
            f"{name}/{asked['qid']}",
            asked["question"],
            kind,
            frozenset(str(m) for m in asked["target_step_id"]),
            at=_date(asked["time"]),
        )
        for asked in life["question_list"]
    ]
    return Case(name, (talk,), tuple(questions))


def _date(text: str) -> datetime:
    return datetime.strptime(WEEKDAY.sub("", text), "%Y年%m月%d日 %H:%M").replace(tzinfo=UTC)
