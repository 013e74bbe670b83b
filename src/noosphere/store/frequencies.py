"""How many units hold a term, remembered for the process: counts need not be exact, only of the right size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.forking import Lock
from noosphere.store import fulltext
from noosphere.store.words.porter import stem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.store.connection import Connection
    from noosphere.store.fulltext import Era
    from noosphere.store.words.query import Term

KEPT = 20_000  # terms remembered
STALE_GROWTH = 1.1  # counts are taken anew when the mind has grown by a tenth


class Frequencies:
    """A cache of document frequencies; safe from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: dict[tuple[str, Era], int] = {}
        self._taken_at = 0

    def of(self, sql: Connection, term: Term, eras: Iterable[Era]) -> int:
        """In about how many units of these eras the term stands."""
        return sum(self._one(sql, term, era) for era in eras)

    def _one(self, sql: Connection, term: Term, era: Era) -> int:
        key = (term.match, era)
        with self._lock:
            known = self._counts.get(key)
        if known is not None:
            return known
        count = fulltext.document_frequency(sql, era, map(stem, term.match.strip('"*').split()))
        with self._lock:
            if len(self._counts) >= KEPT:
                self._counts.clear()
            self._counts[key] = count
        return count

    def size(self, sql: Connection) -> int:
        """About how many units there are; counts taken of a mind that was much smaller are forgotten."""
        size = fulltext.last(sql)
        with self._lock:
            if size > self._taken_at * STALE_GROWTH:
                self._counts.clear()
                self._taken_at = size
        return size
