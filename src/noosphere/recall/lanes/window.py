"""The window lane: what was said or happened in the time a question names, best by its words, else in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.recall.lanes.keyword import Keyword
from noosphere.recall.lanes.lane import Candidate
from noosphere.store import listing

if TYPE_CHECKING:
    from noosphere.model.when.naming import Period
    from noosphere.recall.plan import Plan
    from noosphere.store.connection import Connection
    from noosphere.store.frequencies import Frequencies

MOST = 5_000  # units of a window that are looked at, the oldest first


class InWindow:
    """Finds units by when they were said or happened."""

    name = "window"

    def __init__(
        self, plan: Plan, window: Period, frequencies: Frequencies, among: frozenset[int] | None = None
    ) -> None:
        self._plan = plan
        self._window = window
        self._frequencies = frequencies
        self._among = among

    def find(self, sql: Connection, depth: int) -> list[Candidate]:
        """Those of the window that hold the question's words, then the others by time."""
        inside = list(dict.fromkeys(listing.within(sql, self._window.start, self._window.end, MOST)))
        if self._among is not None:
            inside = [frame for frame in inside if frame in self._among]
        if not inside:
            return []
        held = Keyword(self._plan, self._frequencies, frozenset(inside)).find(sql, depth)
        found = {c.frame: c.score for c in held if c.frame in set(inside)}
        found |= {frame: 0.0 for frame in inside if frame not in found}
        return [Candidate(frame, score) for frame, score in found.items()][:depth]
