"""BEAM 100K: a user and an assistant over one long project (Tavakoli et al. 2025); the dev half.

A session is one exchange of the chat with its follow-ups. User turns end in markers such as " ->-> 1,1", which are
cut off. Gold is `source_chat_ids`, in whatever nesting; questions without it are about abstention.
"""

from __future__ import annotations

import gzip
import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from evals.datasets.case import Case, Question, Said, Sitting, Talk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MARKER = re.compile(r"\s*->->\s*[\d,\s]*$")


def read(folder: Path) -> Iterator[Case]:
    """Read the chats."""
    for path in sorted((folder / "beam" / "100K").glob("*.json.gz"), key=lambda p: int(p.name.split(".")[0])):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield _case(path.name.split(".")[0], json.load(file))


def _case(name: str, chat: dict[str, Any]) -> Case:
    sittings: list[Sitting] = []
    at: datetime | None = None
    for batch in chat["chat"]:
        for messages in batch["turns"]:
            at = next((d for m in messages if (d := _anchor(m.get("time_anchor")))), at)
            sittings.append(Sitting(str(len(sittings)), at, tuple(_turn(m, at) for m in messages)))
    there = {turn.id for sitting in sittings for turn in sitting.turns}
    questions = [
        _question(f"{name}/{kind}/{n}", kind, entry, there)
        for kind, entries in chat["questions"].items()
        for n, entry in enumerate(entries)
    ]
    talk = Talk(name, tuple(sittings), ("User", "Assistant"), one_conversation=False)
    return Case(name, (talk,), tuple(questions))


def _turn(message: dict[str, Any], at: datetime | None) -> Said:
    role = message["role"]
    return Said(str(message["id"]), role.capitalize(), role, MARKER.sub("", message["content"]).strip(), at)


def _question(id: str, kind: str, entry: dict[str, Any], there: set[str]) -> Question:
    gold = frozenset(str(i) for i in _numbers(entry.get("source_chat_ids"))) & there
    return Question(id, entry["question"], kind, gold, abstain=kind == "abstention", scored=bool(gold))


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _numbers(item)
    elif isinstance(value, list):
        for item in value:
            yield from _numbers(item)


def _anchor(text: str | None) -> datetime | None:
    try:
        return datetime.strptime(text or "", "%B-%d-%Y").replace(tzinfo=UTC)
    except ValueError:
        return None
