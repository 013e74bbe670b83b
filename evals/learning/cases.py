"""Written exchanges and what is worth keeping in them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Wanted:
    """A sentence worth keeping; several roles may fit it."""

    text: str
    roles: tuple[str, ...]
    target: str
    source: str


@dataclass(frozen=True, slots=True)
class Case:
    """An exchange, its kind, and what is worth keeping; what `spared` holds may be kept or not."""

    id: str
    kind: str
    user: str
    assistant: str
    wanted: tuple[Wanted, ...]
    tools: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()


def own() -> list[Case]:
    """The half that was written with the cues."""
    return [_own(json.loads(line)) for line in (HERE / "own.jsonl").read_text(encoding="utf-8").splitlines()]


def _own(row: dict) -> Case:
    wanted = tuple(Wanted(w["text"], tuple(w["role"]), w["target"], w["source"]) for w in row["expect"])
    return Case(row["id"], row["kind"], row["user"], row["assistant"], wanted)
