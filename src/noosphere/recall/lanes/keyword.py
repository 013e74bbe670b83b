"""The keyword lane: BM25 over a unit's words and those of the turn before it, plus a share of the turn after it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from noosphere.recall.lanes.lane import Candidate
from noosphere.recall.weights import DF_BUDGET, MIN_TERMS, NEXT_TURN
from noosphere.store import frames, fulltext

if TYPE_CHECKING:
    from noosphere.recall.plan import Plan
    from noosphere.store.connection import Connection
    from noosphere.store.frequencies import Frequencies


class Keyword:
    """Finds units by their words."""

    name = "keyword"

    def __init__(self, plan: Plan, frequencies: Frequencies, among: frozenset[int] | None = None) -> None:
        self._terms = plan.content
        self._eras = plan.eras
        self._frequencies = frequencies
        self._among = among

    def find(self, sql: Connection, depth: int) -> list[Candidate]:
        """Search each index, hand a share of every turn's score to the turn before it, and take the best."""
        match = self._match(sql)
        if match is None:
            return []
        found = {f: s for era in self._eras for f, s in fulltext.search(sql, era, match, depth, self._among)}
        scores = defaultdict(float, found)
        for turn, before in frames.turns_before(sql, found).items():
            scores[before] += NEXT_TURN * found[turn]
        best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:depth]
        return [Candidate(frame, score) for frame, score in best]

    def _match(self, sql: Connection) -> str | None:
        """The FTS5 expression: any of the terms, rarest first within the budget of postings."""
        self._frequencies.size(sql)
        counted = sorted((self._frequencies.of(sql, term, self._eras), n, term) for n, term in enumerate(self._terms))
        chosen: list[str] = []
        spent = 0
        for count, _, term in counted:
            spent += count
            if spent > DF_BUDGET and len(chosen) >= MIN_TERMS:
                break
            chosen.append(term.match)
        return " OR ".join(chosen) or None
