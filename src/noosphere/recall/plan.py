"""The plan of a recall: what was asked, from where in time, and through which lanes."""

from __future__ import annotations

import re
from dataclasses import field, replace
from typing import TYPE_CHECKING, Literal

from noosphere.errors import InvalidInput
from noosphere.model.argument import read_many
from noosphere.model.query import LANES
from noosphere.model.vocabulary import CURRENT_STATUSES
from noosphere.model.when import FIRST, FOREVER
from noosphere.recall.cues import says
from noosphere.recall.intent import is_remark, wants_catch_up
from noosphere.recall.relevance import PROFILES
from noosphere.recall.requests import topic
from noosphere.recall.weights import POOL
from noosphere.records import dataclass
from noosphere.store.fulltext import Era
from noosphere.store.words.fold import KANA
from noosphere.store.words.query import query_terms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from noosphere.model.query import Filters, View
    from noosphere.model.when.naming import Period
    from noosphere.recall.relevance import Profile
    from noosphere.recall.screen import Suspects
    from noosphere.store.words.query import Term

SYLLABLE = re.compile(f"[{KANA}]")  # which the fold makes one of two
Rerank = Literal["fast", "deep", "cross"]
RERANKS: tuple[Rerank, ...] = ("fast", "deep", "cross")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A question, understood.

    Attributes:
        query: as it was asked.
        query_used: what the lanes search for: the topic of the query, without its wrapping.
        terms: its words, with stop words and exact ids marked.
        view: from where in time it looks.
        filters: what may be shown.
        k: how many hits are wanted.
        lanes: the sources of candidates to ask.
        rerank: "deep" when the tokens of the question shall meet those of the best units, "cross" when a model of
            somebody's own shall read the question with them.
        profile: what counts beside the match.
        periods: the times it names.
        catch_up: whether it asks what is going on, and names no topic.
        remark: whether somebody tells something instead of asking.
        content: the terms that carry meaning; all of them when there is no other.
        exact: its ids, which match as themselves.
        words: its words as they stand, case-folded, possessives as the bare name.
        unsure: whether matches are wanted of which none is sure enough to be about what was asked.
        sure: whether the unsure are left out when there are sure ones.
        suspects: what becomes of hits that look like an attack.
    """

    query: str
    query_used: str
    terms: tuple[Term, ...]
    view: View
    filters: Filters
    k: int
    lanes: tuple[str, ...] = LANES
    rerank: Rerank = "fast"
    profile: Profile = "balanced"
    periods: tuple[Period, ...] = ()
    catch_up: bool = False
    remark: bool = False
    unsure: bool = False
    sure: bool = False
    suspects: Suspects = "mark"

    content: tuple[Term, ...] = field(init=False, repr=False)
    exact: tuple[Term, ...] = field(init=False, repr=False)
    words: frozenset[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Derive what is asked of every unit from the terms."""
        content = tuple(t for t in self.terms if not t.stop) or self.terms
        object.__setattr__(self, "content", content)
        object.__setattr__(self, "exact", tuple(t for t in self.terms if t.exact))
        object.__setattr__(self, "words", frozenset(w.casefold() for t in self.terms for w in t.shown.split()))

    @property
    def respelt(self) -> tuple[str, ...]:
        """What it asks for, as typed but for case, where the minds may hold another spelling too.

        Words that have one together (data base) stand together.
        """
        found: list[str] = []
        before: frozenset[str] = frozenset()
        for term in self.content:
            also, shown = frozenset(term.also), term.shown.casefold()
            if also & before:
                found[-1] += f" {shown}"
            elif also or SYLLABLE.search(shown):
                found.append(shown)
            before = also
        return tuple(found)

    @property
    def window(self) -> Period | None:
        """The first time it names that has two ends."""
        return next((p for p in self.periods if p.start > FIRST and p.end < FOREVER), None)

    @property
    def asks(self) -> bool:
        """Whether it is a question or a sentence; bare words look for the texts that hold them."""
        return any(term.stop for term in self.terms) or self.query.rstrip().endswith(("?", "？", "؟"))

    @property
    def pool(self) -> int:
        """How many units each lane brings: the usual pool, or as many as are wanted."""
        return max(POOL[self.rerank], self.k)

    @property
    def timeless(self) -> frozenset[int]:
        """Which of the content words say what is asked about rather than when; all when there is no other."""
        timed = {word for period in self.periods for word in period.words.casefold().split()}
        told = frozenset(n for n, term in enumerate(self.content) if timed.isdisjoint(term.shown.casefold().split()))
        return told or frozenset(range(len(self.content)))

    @property
    def eras(self) -> tuple[Era, ...]:
        """The indexes to search: the past one too when the past is asked for, or a status that is kept there."""
        past = self.view.looks_back or bool(self.filters.statuses - CURRENT_STATUSES)
        return (Era.NOW, Era.PAST) if past else (Era.NOW,)


def make_plan(
    query: str,
    *,
    view: View,
    zone: tzinfo,
    filters: Filters,
    k: int,
    lanes: Sequence[str] | None = None,
    rerank: str = "fast",
    profile: str = "balanced",
    unsure: bool = False,
    sure: bool = False,
    suspects: Suspects = "mark",
) -> Plan:
    """Understand a question.

    Raises:
        InvalidInput: a lane, a rerank or a profile is unknown.
    """
    if rerank not in RERANKS:
        raise InvalidInput.choice("rerank", rerank, RERANKS)
    if profile not in PROFILES:
        raise InvalidInput.choice("profile", profile, PROFILES)
    chosen = LANES if lanes is None else tuple(read_many(lanes, "lanes"))
    for name in chosen:
        if name not in LANES:
            raise InvalidInput.choice("lanes", name, LANES)
    plain = " ".join(query.split())
    used = topic(plain)
    named = named_periods(plain, view.now, zone)
    return Plan(
        query=query,
        query_used=used,
        terms=query_terms(used),
        view=replace(view, ahead=says("asks_time", plain) or says("asks_ahead", plain)),
        filters=filters,
        k=k,
        lanes=chosen,
        rerank=rerank,
        profile=profile,
        periods=named,
        catch_up=wants_catch_up(without(plain, named)),
        remark=is_remark(plain),
        unsure=unsure,
        sure=sure,
        suspects=suspects,
    )


def without(query: str, periods: Sequence[Period]) -> str:
    """A question without the times it names."""
    for period in reversed(periods):
        query = f"{query[: period.cut[0]]} {query[period.cut[1] :]}"
    return query


def named_periods(query: str, now: int, zone: tzinfo) -> tuple[Period, ...]:
    """The times a question names, seen from the reader's present."""
    from noosphere.model.when.naming import periods  # noqa: PLC0415  (brings the grammar of dates)

    return periods(query, now, zone)
