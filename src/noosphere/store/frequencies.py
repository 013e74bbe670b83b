"""How many units hold a term, remembered for the process: counts need not be exact, only of the right size."""

from __future__ import annotations

from itertools import islice
from operator import add
from typing import TYPE_CHECKING

from noosphere.forking import Lock
from noosphere.store import fulltext
from noosphere.store.words.porter import stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
        return self.of_all(sql, (term,), eras)[0]

    def of_all(self, sql: Connection, terms: Sequence[Term], eras: Iterable[Era]) -> list[int]:
        """The same of several terms, in their order and each in all its spellings."""
        counts = iter(self.of_matches(sql, [match for term in terms for match in term.matches], eras))
        return [sum(islice(counts, len(term.matches))) for term in terms]

    def of_matches(self, sql: Connection, matches: Sequence[str], eras: Iterable[Era]) -> list[int]:
        """In about how many units each expression holds, in their order; those not known are looked up together."""
        counts = [0] * len(matches)
        for era in eras:
            with self._lock:
                known = [self._counts.get((match, era)) for match in matches]
            new = {match for match, count in zip(matches, known, strict=True) if count is None}
            taken = self._take(sql, new, era) if new else {}
            own = (taken[match] if count is None else count for match, count in zip(matches, known, strict=True))
            counts = list(map(add, counts, own))
        return counts

    def _take(self, sql: Connection, matches: Iterable[str], era: Era) -> dict[str, int]:
        """Count terms in an index; of a phrase the rarest stem decides."""
        stems = {match: [stem(word) for word in match.strip('"*').split()] for match in matches}
        held = fulltext.document_frequencies(sql, era, {each for own in stems.values() for each in own})
        taken = {match: min((held.get(each, 0) for each in own), default=0) for match, own in stems.items()}
        with self._lock:
            if len(self._counts) >= KEPT:
                self._counts.clear()
            self._counts |= {(match, era): count for match, count in taken.items()}
        return taken

    def size(self, sql: Connection) -> int:
        """About how many units there are; counts taken of a mind that was much smaller are forgotten."""
        size = fulltext.last(sql)
        with self._lock:
            if size > self._taken_at * STALE_GROWTH:
                self._counts.clear()
                self._taken_at = size
        return size
