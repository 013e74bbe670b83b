"""ai_interactions: what models were asked for, how it ended and what it cost; never what was said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.transaction import Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """One call of a model; `outcome` is done, down or refused."""

    provider: str
    model: str
    purpose: str
    outcome: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_micros: int | None = None
    milliseconds: int | None = None


COLUMNS = "provider, model, purpose, outcome, prompt_tokens, completion_tokens, cost_micros, milliseconds"


def note(tx: Tx, one: Interaction) -> None:
    """Write down a call."""
    tx.sql.execute(
        f"INSERT INTO ai_interactions (uid, at, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            tx.ids.new(), tx.now, one.provider, one.model, one.purpose, one.outcome, one.prompt_tokens,
            one.completion_tokens, one.cost_micros, one.milliseconds,
        ),
    )  # fmt: skip


def newest(sql: Connection, limit: int) -> list[Interaction]:
    """The last calls, the newest first."""
    rows = sql.execute(f"SELECT {COLUMNS} FROM ai_interactions ORDER BY id DESC LIMIT ?", (limit,))
    return [
        Interaction(
            provider=row[0],
            model=row[1],
            purpose=row[2],
            outcome=row[3],
            prompt_tokens=row[4],
            completion_tokens=row[5],
            cost_micros=row[6],
            milliseconds=row[7],
        )
        for row in rows
    ]
