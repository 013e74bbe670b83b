"""ai_interactions: what models were asked for, how it ended and what it cost; never what was said."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from noosphere.clock import moment
from noosphere.ids import uid_text
from noosphere.model.interaction import ModelCall, ModelTotal

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


def calls(sql: Connection, since: int, limit: int) -> list[ModelCall]:
    """The newest calls since a moment first."""
    rows = sql.execute(
        """SELECT uid, at, provider, model, purpose, outcome, prompt_tokens, completion_tokens, cost_micros,
             milliseconds FROM ai_interactions WHERE at >= ? ORDER BY id DESC LIMIT ?""",
        (since, limit),
    )
    return [ModelCall(**_named(ModelCall, (uid_text(uid), moment(at), *rest))) for uid, at, *rest in rows]


def totals(sql: Connection, since: int) -> list[ModelTotal]:
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
    return [ModelTotal(**_named(ModelTotal, (*row[:-2], *map(moment, row[-2:])))) for row in rows]


def _named(kind: type[ModelCall | ModelTotal], values: tuple[Any, ...]) -> dict[str, Any]:
    """Values by the names of the fields that they are for."""
    return dict(zip((field.name for field in fields(kind)), values, strict=True))
