"""The verbs of calls to language models: list them, and sum up what they cost."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from noosphere.clock import moment
from noosphere.ids import uid_text
from noosphere.model.argument import read_count
from noosphere.model.interaction import ModelCall, ModelTotal
from noosphere.model.when import read_time
from noosphere.store import interactions

if TYPE_CHECKING:
    from datetime import date, datetime

    from noosphere.store.interactions import TotalRow
    from noosphere.store.mind_file import MindFile

MAX_LISTED = 10_000


class Interactions:
    """What language models were asked in one mind: call it to list the calls; `totals` sums them up."""

    def __init__(self, mind: MindFile) -> None:
        self._mind = mind

    def __call__(self, limit: int = 50, *, since: datetime | date | str | None = None) -> list[ModelCall]:
        """The newest calls first.

        Args:
            limit: how many, at most.
            since: only those of then or later.

        Raises:
            InvalidInput: a limit out of range, or no time.
        """
        most, start = read_count(limit, "limit", 1, MAX_LISTED), self._start(since)
        with self._mind.read() as sql:
            rows = interactions.calls(sql, start, most)
        return [
            ModelCall(
                id=uid_text(row.uid),
                at=moment(row.at),
                provider=row.provider,
                model=row.model,
                purpose=row.purpose,
                ended=row.outcome,
                prompt_tokens=row.prompt_tokens,
                completion_tokens=row.completion_tokens,
                cost_micros=row.cost_micros,
                milliseconds=row.milliseconds,
            )
            for row in rows
        ]

    def totals(self, *, since: datetime | date | str | None = None) -> list[ModelTotal]:
        """What each model was asked for, and what that cost, the dearest first.

        Args:
            since: only what was asked then or later.

        Raises:
            InvalidInput: no time.
        """
        start = self._start(since)
        with self._mind.read() as sql:
            rows = interactions.totals(sql, start)
        return [_total(row) for row in rows]

    def _start(self, since: datetime | date | str | None) -> int:
        span = read_time(since, "since", self._mind.zone)
        return 0 if span is None else span.start


def _total(row: TotalRow) -> ModelTotal:
    found: dict[str, Any] = asdict(row)
    found.update(first_at=moment(row.first_at), last_at=moment(row.last_at))
    return ModelTotal(**found)
