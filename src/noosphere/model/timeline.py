"""The timeline of a functional slot: a pure function from its assertions to disjoint spells.

Only assertions are stored. Each says a value holds from some time, perhaps until some time, with the
strength of whoever said it. The spells follow from the set alone, so any order of arrival gives the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from noosphere.clock import DAY
from noosphere.model.vocabulary import SOURCE_STRENGTH, Source, Status
from noosphere.model.when import FOREVER

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CANONICAL_STRENGTH = 10  # above every source: canonical survives contradiction
DRAFT_STRENGTH = -1  # below every source: a draft retires nothing
NEWS = 366 * DAY  # how long ago a change can have been that is told as news; of what is older, history is told


@dataclass(frozen=True, slots=True)
class Assertion:
    """One memory's statement about a slot."""

    node: int
    start: int
    end: int  # FOREVER when no end was stated
    value: str
    strength: int
    uid: bytes
    ends: bool = False  # says that the value no longer holds
    said: int = 0
    dated: bool = True  # says since when it holds; else its start is when it was said, and may lie earlier

    @property
    def order(self) -> tuple[int, int, str, bytes]:
        """The order of the slot: from, stated end, value; the uid only breaks exact ties."""
        return (self.start, self.end, self.value, self.uid)


@dataclass(frozen=True, slots=True)
class Spell:
    """When an assertion holds: [start, end), empty when it never does; `conflict` when another disputes it."""

    node: int
    start: int
    end: int
    conflict: bool
    replaced_by: int | None  # the node whose start cut this spell short


def strength(source: Source, status: Status) -> int:
    """How strongly an assertion binds; a weaker one never retires a stronger one."""
    if status is Status.DRAFT:
        return DRAFT_STRENGTH
    return SOURCE_STRENGTH[source] + (CANONICAL_STRENGTH if status is Status.CANONICAL else 0)


def timeline(assertions: Iterable[Assertion]) -> list[Spell]:
    """Work out the spells of a functional slot.

    Within one strength, an assertion holds until its stated end or the next start, whichever is first;
    equal starts with different values are a conflict. A weaker assertion yields to stronger ones: it
    waits until a stronger spell that covers its start is over, and ends where a stronger one starts.
    "Lives in Berlin", and later "moved to Lisbon last month": Berlin was before Lisbon, though told last week.

    Returns:
        One spell for each assertion, in the order of the slot.
    """
    ordered = sorted(_placed(list(assertions)), key=lambda a: a.order)
    settled: list[tuple[Assertion, Spell]] = []
    for _, tier in groupby(sorted(ordered, key=lambda a: -a.strength), key=lambda a: a.strength):
        peers = list(tier)  # still in the order of the slot
        stronger = list(settled)
        held = [a for a in peers if not a.ends]
        disputed = {a.start for a, b in pairwise(held) if a.start == b.start and a.value != b.value}
        settled += [(peer, _spell(peer, _rival(peers, n), disputed, stronger)) for n, peer in enumerate(peers)]
    return [spell for _, spell in sorted(settled, key=lambda pair: pair[0].order)]


def _placed(told: Sequence[Assertion]) -> list[Assertion]:
    """The assertions, one of no stated start before a change that was told after it as news of the last year."""
    placed: list[Assertion] = []
    for rank, own in enumerate(sorted(told, key=lambda a: a.order, reverse=True), start=1):
        changes = () if own.dated else (b.start for b in told if _is_news(b, own))
        placed.append(replace(own, start=start - rank) if (start := min(changes, default=None)) is not None else own)
    return placed


def _is_news(change: Assertion, own: Assertion) -> bool:
    """Whether a change that began before a value was told, and was told after it, says that the value is over."""
    return (
        change.dated
        and not change.ends
        and change.strength >= own.strength
        and change.value != own.value
        and change.said > own.said
        and own.start - NEWS <= change.start < own.start < change.end
    )


def timeline_of_each(assertions: Iterable[Assertion]) -> list[Spell]:
    """Work out the spells of a set-valued slot: each value that something ends has a timeline of its own."""
    told = list(assertions)
    over = [a for a in told if a.ends]
    spells: list[Spell] = []
    for value in sorted({a.value for a in told if not a.ends}):
        enders = [a for a in over if same_value(a.value, value)]
        if enders:
            mine = {a.node for a in told if not a.ends and a.value == value}
            own = timeline([*enders, *(a for a in told if a.node in mine)])
            spells += [s for s in own if s.node in mine]
    return spells


def _rival(peers: Sequence[Assertion], n: int) -> Assertion | None:
    """What ends the n-th of some peers: the next start, or the same value said again from the same start."""
    own = peers[n]
    later = (peers[k] for k in range(n + 1, len(peers)))
    return next((p for p in later if _bears_on(p, own) and (p.start > own.start or p.value == own.value)), None)


def _bears_on(later: Assertion, own: Assertion) -> bool:
    """Whether a later assertion ends one: a value ends every other, the end of a value only that value."""
    return not later.ends or (not own.ends and same_value(later.value, own.value))


def same_value(one: str, other: str) -> bool:
    """Whether two values in compare form may name the same: the words of one are among the words of the other."""
    a, b = set(one.split()), set(other.split())
    return a <= b or b <= a


def _spell(
    own: Assertion, rival: Assertion | None, disputed: set[int], stronger: Sequence[tuple[Assertion, Spell]]
) -> Spell:
    start = _wait(own.start, stronger)
    cuts = [] if rival is None else [(rival.start, rival.order, rival.node)]
    cuts += [
        (s.start, a.order, a.node) for a, s in stronger if s.start > start and s.start < s.end and _bears_on(a, own)
    ]
    cut, _, by = min(cuts, default=(FOREVER, None, None))
    end = max(start, min(own.end, cut))
    conflict = start < end and own.start in disputed and not own.ends
    return Spell(own.node, start, end, conflict, by if cut < own.end else None)


def _wait(start: int, stronger: Sequence[tuple[Assertion, Spell]]) -> int:
    for a, spell in sorted(stronger, key=lambda pair: pair[1].start):
        if not a.ends and spell.start <= start < spell.end:
            start = spell.end
    return start
