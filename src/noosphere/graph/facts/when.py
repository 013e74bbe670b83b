"""When a statement holds, by the times its clause names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import TYPE_CHECKING

from noosphere.clock import micros
from noosphere.model.when.times import Lean, find_times, without

if TYPE_CHECKING:
    from datetime import tzinfo

    from noosphere.graph.facts.rulebook import Form
    from noosphere.model.when.times import Time

AHEAD = re.compile(
    r"\b(?:will|going to|moving|starting|starts?|joining|relocating|until|till|effective|as of|from|next|due|"
    r"about to|leaving|taking over|takes over)\b|['’]ll\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Held:
    """From when until when, in microseconds; None where it is not said."""

    since: int | None
    until: int | None


NOWHERE = Held(None, None)


def without_times(clause: str, said_at: datetime | None) -> tuple[tuple[Time, ...], str]:
    """The times of a clause, and the clause without them."""
    if said_at is None:
        return (), clause
    lean = Lean.FUTURE if AHEAD.search(clause) else Lean.PAST
    times = find_times(clause, said_at, lean=lean)
    return times, without(clause, times) if times else clause


def held(times: tuple[Time, ...], form: Form, clause: str, said_at: datetime) -> Held:
    """When a fact holds: a range says both ends, a day when it began; what was, was for that while."""
    if not times:
        return Held(None, micros(said_at)) if form.past else NOWHERE
    first, after = times[0].first, times[0].after
    zone = said_at.tzinfo
    since, until = _at(first, zone), _at(after, zone)
    if form.past or times[0].kind == "range":
        return Held(since, until if until is not None or not form.past else micros(said_at))
    if form.ends and re.search(r"\b(?:until|till)\b", clause, re.IGNORECASE):
        return NOWHERE
    return Held(since, None)


def _at(day: date | None, zone: tzinfo | None) -> int | None:
    return None if day is None else micros(datetime.combine(day, time(), zone))
