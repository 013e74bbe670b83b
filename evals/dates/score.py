"""Scoring: an answer is right when it is the days that its words mean, or differs from them by convention only."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING

from noosphere.model.when.times import find_times

if TYPE_CHECKING:
    from collections.abc import Iterable

    from evals.dates.cases import Case, Days, Gold
    from noosphere.model.when.times import Time

QUARTER, YEAR = 92, 366  # the longest
HALF = 0.5  # of the days of both together, that two vague stretches ("late last week") must share
COUNTED = ("week", "month", "year", "fortnight", "quarter", "decade")
VAGUE = ("early", "late", "earlier", "later", "mid", "middle", "beginning", "start", "end", "few", "couple", "several")


@dataclass(slots=True)
class Tally:
    """What became of the expressions of one type, and of the answers.

    Attributes:
        exact: the very days.
        alike: the same time by another convention.
        wrong: other days.
        missed: no answer.
        extra: answers where there is no time of days.
    """

    exact: int = 0
    alike: int = 0
    wrong: int = 0
    missed: int = 0
    extra: int = 0

    @property
    def right(self) -> int:
        """Expressions read right."""
        return self.exact + self.alike

    @property
    def precision(self) -> float:
        """Right answers among the answers."""
        return self.right / max(1, self.right + self.wrong + self.extra)

    @property
    def recall(self) -> float:
        """Right answers among the expressions."""
        return self.right / max(1, self.right + self.wrong + self.missed)


@dataclass(slots=True)
class Score:
    """Tallies by type, and every mistake as a line."""

    by_type: dict[str, Tally] = field(default_factory=dict)
    mistakes: list[str] = field(default_factory=list)

    def total(self, types: Iterable[str]) -> Tally:
        """The tallies of several types together."""
        summed = Counter[str]()
        for name in types:
            for part in Tally.__slots__:
                summed[part] += getattr(self.by_type.get(name, Tally()), part)
        return Tally(**{part: summed[part] for part in Tally.__slots__})


def score(cases: Iterable[Case]) -> Score:
    """Read every text and compare."""
    result = Score()
    for case in cases:
        found = find_times(case.text, case.now)
        for gold in case.golds:
            over = [t for t in found if t.start < gold.end and gold.start < t.end]
            outcome = _outcome(case, gold, over) if gold.needed else "extra" if over else None
            if outcome is not None:
                tally = result.by_type.setdefault(gold.type, Tally())
                setattr(tally, outcome, getattr(tally, outcome) + 1)
                if outcome not in ("exact", "alike"):
                    result.mistakes.append(f"{outcome:6} {gold.type:13} {_line(case, gold, over)}")
        free = [t for t in found if not any(t.start < g.end and g.start < t.end for g in case.golds)]
        if case.whole and free:
            result.by_type.setdefault("none", Tally()).extra += len(free)
            result.mistakes += [f"extra  none          {case.text[t.start : t.end]!r} in {case.text!r}" for t in free]
    return result


def _outcome(case: Case, gold: Gold, over: list[Time]) -> str:
    if not over:
        return "missed"
    phrase = case.text[gold.start : gold.end].lower()
    if any((t.first, t.after) == (d.first, d.after) for t in over for d in gold.means):
        return "exact"
    return "alike" if any(_alike(t, d, phrase) for t in over for d in gold.means) else "wrong"


def _alike(time: Time, days: Days, phrase: str) -> bool:
    """Whether a convention parts them: a bound in- or exclusive, the unit counted to, the edge of what is vague."""
    if time.unit in COUNTED and time.unit in phrase and None not in (time.first, time.after, days.first):
        return _whole(time.first) <= _whole(days.first) < _whole(time.after)
    if set(VAGUE) & set(phrase.split()) and None not in (time.first, time.after, days.first, days.after):
        return _shared(time, days) >= HALF or _whole(time.first) <= _whole(days.first) < _whole(time.after)
    return _edge(time.first, days.first) and _edge(time.after, days.after)


def _edge(ours: date | None, theirs: date | None) -> bool:
    """Whether two ends are the same, or ours takes in the day, month, quarter or year that theirs stops before."""
    if ours is None or theirs is None:
        return ours is theirs
    step = abs((ours - theirs).days)
    return step <= 1 or (ours.day == theirs.day == 1 and ours > theirs and step <= QUARTER) or (
        (ours.month, ours.day) == (theirs.month, theirs.day) == (1, 1) and 0 < step <= YEAR
    )  # fmt: skip


def _whole(at: date | None) -> date:
    return date.min if at is None else at


def _shared(time: Time, days: Days) -> float:
    firsts, afters = (_whole(time.first), _whole(days.first)), (_whole(time.after), _whole(days.after))
    both, all_ = min(afters) - max(firsts), max(afters) - min(firsts)
    return both / all_ if all_ > timedelta(0) else 0.0


def _line(case: Case, gold: Gold, over: list[Time]) -> str:
    wanted = " or ".join(f"{d.first}…{d.after}" for d in gold.means)
    got = ", ".join(f"{case.text[t.start : t.end]!r} {t.first}…{t.after}" for t in over) or "nothing"
    return f"{case.text[gold.start : gold.end]!r} on {case.now.date()}: {wanted}; got {got}; in {case.text!r:.160}"
