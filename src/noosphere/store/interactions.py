"""ai_interactions: what models were asked for, how it ended and what it cost; never what was said."""

from __future__ import annotations

from dataclasses import dataclass, fields
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


def note(tx: Tx, one: Interaction) -> None:
    """Write down a call."""
    tx.sql.execute(
        """INSERT INTO ai_interactions (uid, at, provider, model, purpose, outcome, prompt_tokens, completion_tokens,
             cost_micros, milliseconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            tx.ids.new(), tx.now, one.provider, one.model, one.purpose, one.outcome, one.prompt_tokens,
            one.completion_tokens, one.cost_micros, one.milliseconds,
        ),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow(Interaction):
    """A call as it stands."""

    uid: bytes
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalRow:
    """The calls of one model for one purpose, summed."""

    provider: str
    model: str
    purpose: str
    calls: int
    failed: int
    prompt_tokens: int
    completion_tokens: int
    cost_micros: int
    uncounted: int
    unpriced: int
    milliseconds: int
    first_at: int
    last_at: int


def calls(sql: Connection, since: int, limit: int) -> list[CallRow]:
    """The newest calls since a moment first."""
    rows = sql.execute(
        """SELECT provider, model, purpose, outcome, prompt_tokens, completion_tokens, cost_micros, milliseconds,
             uid, at FROM ai_interactions WHERE at >= ? ORDER BY id DESC LIMIT ?""",
        (since, limit),
    )
    names = ("provider", "model", "purpose", "outcome", "prompt_tokens", "completion_tokens", "cost_micros",
             "milliseconds", "uid", "at")  # fmt: skip
    return [CallRow(**dict(zip(names, row, strict=True))) for row in rows]


def totals(sql: Connection, since: int) -> list[TotalRow]:
    """What each model was asked for since a moment, the dearest first."""
    rows = sql.execute(
        """SELECT provider, model, purpose, count(*) AS calls, sum(outcome <> 'done') AS failed,
             coalesce(sum(prompt_tokens), 0) AS prompt_tokens, coalesce(sum(completion_tokens), 0) AS completion_tokens,
             coalesce(sum(cost_micros), 0) AS cost_micros,
             sum(prompt_tokens IS NULL OR completion_tokens IS NULL) AS uncounted,
             sum(cost_micros IS NULL) AS unpriced, coalesce(sum(milliseconds), 0) AS milliseconds,
             min(at) AS first_at, max(at) AS last_at
           FROM ai_interactions WHERE at >= ?
           GROUP BY provider, model, purpose
           ORDER BY cost_micros DESC, calls DESC, provider, model, purpose""",
        (since,),
    )
    names = tuple(field.name for field in fields(TotalRow))
    return [TotalRow(**dict(zip(names, row, strict=True))) for row in rows]
