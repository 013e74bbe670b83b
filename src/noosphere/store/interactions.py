"""ai_interactions: what models were asked for, how it ended and what it cost; never what was said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
