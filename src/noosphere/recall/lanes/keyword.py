"""The keyword lane: BM25 over a unit's words and those of the turn before it, plus a share of the turn after it."""

from __future__ import annotations

from collections import defaultdict
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from noosphere.recall.lanes.lane import Candidate
from noosphere.recall.weights import DF_BUDGET, ENOUGH, LITTLE, MIN_TERMS, NEXT_TURN
from noosphere.store import frames, fulltext

if TYPE_CHECKING:
    from noosphere.recall.plan import Plan
    from noosphere.store.connection import Connection
    from noosphere.store.frequencies import Frequencies
    from noosphere.store.fulltext import Era


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
        terms = self._within_budget(sql)
        if not terms:
            return []
        found = {f: s for era in self._eras for f, s in self._search(sql, era, terms, depth)}
        scores = defaultdict(float, found)
        for turn, before in frames.turns_before(sql, found).items():
            scores[before] += NEXT_TURN * found[turn]
        best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:depth]
        return [Candidate(frame, score) for frame, score in best]

    def _search(self, sql: Connection, era: Era, terms: list[tuple[int, str]], depth: int) -> list[tuple[int, float]]:
        """The best of an index; where its rare terms find as many as are wanted, the common ones only add to those."""
        rare = _rare(terms, depth)
        if self._among is None and rare < len(terms):
            matches = [match for _, match in terms]
            found = fulltext.search_rare(sql, era, matches[:rare], matches[rare:], depth)
            if len(found) == depth:
                return found
        return fulltext.search(sql, era, " OR ".join(match for _, match in terms), depth, self._among)

    def _within_budget(self, sql: Connection) -> list[tuple[int, str]]:
        """What is searched, the rarest first: how many units hold each expression, every term in all its spellings.

        Two words share the one that they make.
        """
        self._frequencies.size(sql)
        counts = self._frequencies.of_all(sql, self._terms, self._eras)
        chosen: list[str] = []
        spent = 0
        for count, number in sorted(zip(counts, range(len(counts)), strict=True)):
            spent += count
            if spent > DF_BUDGET and len(chosen) >= MIN_TERMS:
                break
            chosen += self._terms[number].matches
        every = list(dict.fromkeys(chosen))
        return sorted(zip(self._frequencies.of_matches(sql, every, self._eras), every, strict=True), key=itemgetter(0))


def _rare(terms: list[tuple[int, str]], depth: int) -> int:
    """How many of the terms, the rarest, are enough to find `depth` units; all when the others would cost little."""
    spent = list(accumulate(count for count, _ in terms))
    for number, (before, after) in enumerate(pairwise(spent), start=1):
        if before >= depth and after > ENOUGH * depth and spent[-1] - before > LITTLE:
            return number
    return len(terms)
