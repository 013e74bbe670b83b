"""The verbs of calls to language models: list them, and sum up what they cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.model.argument import read_count
from noosphere.model.when import read_time
from noosphere.store import interactions

if TYPE_CHECKING:
    from datetime import date, datetime

    from noosphere.model.interaction import ModelCall, ModelTotal
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
            return interactions.calls(sql, start, most)

    def totals(self, *, since: datetime | date | str | None = None) -> list[ModelTotal]:
        """What each model was asked for, and what that cost, the dearest first.

        Args:
            since: only what was asked then or later.

        Raises:
            InvalidInput: no time.
        """
        start = self._start(since)
        with self._mind.read() as sql:
            return interactions.totals(sql, start)

    def _start(self, since: datetime | date | str | None) -> int:
        span = read_time(since, "since", self._mind.zone)
        return 0 if span is None else span.start
