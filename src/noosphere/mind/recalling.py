"""The verbs that answer a question: rank, recall, brief."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from noosphere.errors import InvalidInput
from noosphere.mind.opened import Opened
from noosphere.model.argument import read_count, read_flag
from noosphere.model.query import read_filters
from noosphere.model.text import clean
from noosphere.recall import pipeline
from noosphere.recall.plan import Plan, make_plan
from noosphere.recall.weights import TOTAL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from noosphere.model.hit import Hit, Recall
    from noosphere.model.query import Filters

    Time = datetime | date | str

MAX_K = 1000


class Recalling(Opened):
    """Evidence, best first, with the reasons for each piece."""

    def rank(
        self,
        query: str,
        k: int = 10,
        *,
        now: Time | None = None,
        as_of: Time | None = None,
        known_at: Time | None = None,
        include_past: bool = False,
        filters: Filters | Mapping[str, Any] | None = None,
        lanes: Sequence[str] | None = None,
        rerank: str | None = None,
        profile: str = "balanced",
        unsure: bool = False,
        sure: bool = False,
    ) -> list[Hit]:
        """The evidence for a question, best first: the ranking that `recall` renders.

        Args:
            query: any text; nothing in it is syntax.
            k: how many hits, 1 to 1000.
            now: the reader's present, when it is not the clock's.
            as_of: what is believed now to have been true then.
            known_at: what was believed then.
            include_past: also what is no longer true, with its dates.
            filters: see `Filters`; a mapping with the same names, singular or plural.
            lanes: the sources of candidates to ask; all when None.
            rerank: "fast", "deep" for late interaction with the best candidates, or "cross" for a model of your own
                that reads the question with them; the setting's when None.
            profile: what counts beside the match: balanced, recent, important, or connected.
            unsure: also answer with matches none of which is sure enough to be about the question.
            sure: answer with the sure matches alone, when there are any.

        Raises:
            InvalidInput: an argument has the wrong form.
        """
        options = {"now": now, "as_of": as_of, "known_at": known_at, "include_past": include_past}
        how = {"lanes": lanes, "rerank": rerank, "profile": profile, "unsure": unsure, "sure": sure}
        return list(self.ranked(query, k, **options, filters=filters, **how).hits)

    def ranked(self, query: str, k: int = 10, **options: Any) -> pipeline.Ranked:
        """`rank` with its trace: takes the same options."""
        return pipeline.rank([self.reader], self.plan(query, k, **options))

    def recall(
        self, query: str, budget: int = TOTAL, *, tokens: int | None = None, k: int = 20, **options: Any
    ) -> Recall:
        """A block of evidence for a prompt, fenced, inside a budget of characters, with hits and trace.

        Takes the options of `rank`.

        Args:
            query: any text; nothing in it is syntax.
            budget: how many characters the block may have.
            tokens: how many tokens it may have besides, as the tokenizer of the default encoder counts them.
            k: how many hits, at most.
            options: those of `rank`.

        Raises:
            InvalidInput: an argument has the wrong form.
        """
        return pipeline.recall([self.reader], self.plan(query, k, **options), budget=budget, tokens=tokens)

    def brief(self, budget: int = TOTAL, *, k: int = 20, **options: Any) -> Recall:
        """What matters and what is new, for a prompt: important memories and decisions first, then the newest.

        Below them stands what could be done better, as `signals()` lists it. Takes the options of `rank`.

        Raises:
            InvalidInput: an argument has the wrong form.
        """
        from noosphere.model.signal import MOST_SHOWN, TITLE
        from noosphere.write.practice.signals import Signals

        plan = replace(self.plan("", k, **options), catch_up=True)
        better = [one.line() for one in Signals(self._file)(limit=MOST_SHOWN)]
        return pipeline.recall([self.reader], plan, budget=budget, beside=[TITLE, *better])

    def plan(
        self,
        query: str,
        k: int,
        *,
        now: Time | None = None,
        as_of: Time | None = None,
        known_at: Time | None = None,
        include_past: bool = False,
        filters: Filters | Mapping[str, Any] | None = None,
        lanes: Sequence[str] | None = None,
        rerank: str | None = None,
        profile: str = "balanced",
        unsure: bool = False,
        sure: bool = False,
    ) -> Plan:
        """How a question is understood; several minds can answer one plan."""
        if not isinstance(query, str):  # pyright: ignore[reportUnnecessaryIsInstance]  (callers are not all typed)
            raise InvalidInput("query", f"{query!r:.80} is not text", "Pass a string")
        k, zone = read_count(k, "k", 1, MAX_K), self._file.zone
        view = self._view(now=now, as_of=as_of, known_at=known_at, include_past=include_past)
        return make_plan(
            clean(query).text,
            view=view,
            zone=zone,
            filters=read_filters(filters, zone),
            k=k,
            lanes=lanes,
            rerank=rerank or self.settings.rerank,
            profile=profile,
            unsure=read_flag(unsure, "unsure") or False,
            sure=read_flag(sure, "sure") or False,
            suspects=self.settings.suspects,
        )
