"""What language models were asked and what it cost, as a mind wrote it down; never what was said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.records import dataclass

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One call of a language model.

    Attributes:
        purpose: what it was for: sort, or learn.
        ended: done, down when it could not be reached, refused when it did not answer as asked.
        prompt_tokens, completion_tokens: read and written, over all tries; None when the provider does not say.
        cost_micros: millionths of the currency of the prices that were set; None when none were.
    """

    id: str
    at: datetime
    provider: str
    model: str
    purpose: str
    ended: str
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_micros: int | None
    milliseconds: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTotal:
    """The calls of one model for one purpose.

    Attributes:
        calls: how many; `failed` of them were down or refused.
        prompt_tokens, completion_tokens, cost_micros: sums of what is known.
        uncounted: calls of which the tokens are not known, which are in no sum.
        unpriced: calls of which the cost is not known.
    """

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
    first_at: datetime
    last_at: datetime
