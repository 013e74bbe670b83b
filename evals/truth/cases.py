"""The written histories of changing facts: each with its memories, questions and what must not be retired.

Eight parts, all but the last of them for development by now: `own` came with the first rules, `independent` before
them from the design alone, `fresh` after the rules for statements about things, as a second check, `everyday` before
the rules of changes: pairs of what people say first and later, and others that only look like it, and `kinds` before
the idioms of change: ways of saying one, and pairs that stay; `plain` as simple as people put it, and read since;
`varied` blind, by three hands, in as many wordings as there are, most of which no rule reads: it shows what is told
first when nothing was understood. `unread` is of the same kind, by a fourth hand, and is there to check only: nobody
reads it or learns from it. Beside them `beside`: pairs that look like an update and are none, for what ends by
likeness, without questions (`TRUTH_HALVES=beside`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a history; `right` and `wrong` are places of its memories."""

    ask: str
    now: str
    as_of: str | None
    kind: str
    right: tuple[int, ...]
    wrong: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class History:
    """A short history: (text, said_at, speaker) in order of arrival, questions, and groups that must stay current."""

    id: str
    theme: str
    memories: tuple[tuple[str, str, str], ...]
    questions: tuple[Question, ...]
    decoys: tuple[tuple[int, ...], ...]


def half(name: str) -> list[History]:
    """Read one part: `own`, `independent`, `fresh`, `everyday`, `kinds`, `plain`, `varied`, `unread` or `beside`."""
    files = sorted((HERE / "independent").glob("*.jsonl")) if name == "independent" else [HERE / f"{name}.jsonl"]
    return [_history(json.loads(line)) for file in files for line in file.read_text("utf-8").splitlines() if line]


def _history(row: dict) -> History:
    return History(
        row["id"],
        row["theme"],
        tuple((m["text"], m["said_at"], m["speaker"]) for m in row["memories"]),
        tuple(
            Question(q["ask"], q["now"], q["as_of"], q["kind"], tuple(q["right"]), tuple(q["wrong"]))
            for q in row["questions"]
        ),
        tuple(tuple(group) for group in row["decoys"]),
    )
