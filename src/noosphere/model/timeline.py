"""The timeline of a functional slot: a pure function from its assertions to disjoint spells.

Only assertions are stored. Each says a value holds from some time, perhaps until some time, with the
strength of whoever said it. The spells follow from the set alone, so any order of arrival gives the same.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from noosphere.clock import DAY
from noosphere.model.vocabulary import SOURCE_STRENGTH, Source, Status
from noosphere.model.when import FOREVER
from noosphere.records import dataclass

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
    settled: bytes | None = None  # the decision by which it stands beside the others of the same
    wrong: frozenset[str] = frozenset()  # the values that this decision found wrong

    @property
    def order(self) -> tuple[int, int, str, bytes]:
        """The order of the slot: from, stated end, value; the uid only breaks exact ties."""
        return (self.start, self.end, self.value, self.uid)


@dataclass(frozen=True, slots=True)
class Spell:
    """When an assertion holds: [start, end), empty when it never does; `conflict` when another disputes it, or denies
    it its place.
    """  # noqa: D205

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
    equal starts with different values are a conflict, and so are a value and its end, dated to the same start.
    A weaker assertion yields to stronger ones: it waits until a stronger spell that covers its start is over, and
    ends where a stronger one starts; one that never holds because a stronger one of another value does is in conflict
    with that. What a decision set side by side does not bear on each other.
    "Lives in Berlin", and later "moved to Lisbon last month": Berlin was before Lisbon, though told last week.

    Returns:
        One spell for each assertion, in the order of the slot.
    """
    ordered = sorted(_placed(list(assertions)), key=lambda a: a.order)
    spells: list[tuple[Assertion, Spell]] = []
    for _, tier in groupby(sorted(ordered, key=lambda a: -a.strength), key=lambda a: a.strength):
        peers = list(tier)  # still in the order of the slot
        stronger = list(spells)
        disputed = {node for group in _disputes(peers) for node in group}
        spells += [(peer, _spell(peer, _rival(peers, n), disputed, stronger)) for n, peer in enumerate(peers)]
    return [spell for _, spell in sorted(spells, key=lambda pair: pair[0].order)]


def opposed(assertions: Iterable[Assertion]) -> dict[int, frozenset[int]]:
    """The nodes of a functional slot that never hold, each with the stronger ones that hold instead."""
    told = list(assertions)
    spells, of = {s.node: s for s in timeline(told)}, {a.node: a for a in _placed(told)}
    pairs = [(a, spells[a.node]) for a in of.values()]
    return {
        spell.node: _opponents(own, [pair for pair in pairs if pair[0].strength > own.strength])
        for own, spell in pairs
        if spell.conflict and spell.start >= spell.end
    }


def disputes(assertions: Iterable[Assertion], *, one: bool) -> list[frozenset[int]]:
    """The nodes of a slot that contradict each other, a set for each strength and start; `one`: it is functional."""
    told = list(assertions)
    found: list[frozenset[int]] = []
    for part in [told] if one else [own for _, own in _of_each(told)]:
        ordered = sorted(_placed(part), key=lambda a: (-a.strength, a.order))
        for _, tier in groupby(ordered, key=lambda a: a.strength):
            found += _disputes(list(tier))
    return found


def _disputes(peers: Sequence[Assertion]) -> list[frozenset[int]]:
    """The nodes that contradict each other among some of one strength, in the order of the slot."""
    found: list[frozenset[int]] = []
    for _, together in groupby(peers, key=lambda a: a.start):
        group = list(together)
        held = [a for a in group if not a.ends]
        decided: dict[str, set[bytes | None]] = {}
        for a in held:
            decided.setdefault(a.value, set()).add(a.settled)
        common = {a.settled for a in held if all(a.settled in every for every in decided.values())} - {None}
        against = {a.node for a in held} if len(decided) > 1 and not common else set[int]()
        enders = [a for a in group if a.ends]
        against |= {node for a in held for e in enders if _denies(e, a) for node in (a.node, e.node)}
        found += [frozenset(against)] if against else []
    return found


def _denies(ender: Assertion, own: Assertion) -> bool:
    """Whether something says that a value is over from the very moment since when it is said to hold."""
    told = ender.ends and not own.ends and ender.dated and own.dated and ender.start == own.start
    return told and same_value(ender.value, own.value) and not _beside(ender, own)


def _beside(one: Assertion, other: Assertion) -> bool:
    """Whether it was decided that both stand."""
    decided = one.settled is not None and one.settled == other.settled
    return decided and (one.value, one.ends) != (other.value, other.ends)


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
        and not _beside(change, own)
        and own.start - NEWS <= change.start < own.start < change.end
    )


def timeline_of_each(assertions: Iterable[Assertion]) -> list[Spell]:
    """Work out the spells of a set-valued slot: each value that something ends has a timeline of its own."""
    spells: dict[int, Spell] = {}
    for mine, own in _of_each(list(assertions)):
        for spell in timeline(own):
            if spell.node in mine or (spell.conflict and spell.node not in spells):
                spells[spell.node] = spell
    return list(spells.values())


def _of_each(told: Sequence[Assertion]) -> list[tuple[set[int], list[Assertion]]]:
    """For each value that something ends: the nodes that say it, and these with what ends it."""
    over = [a for a in told if a.ends]
    found: list[tuple[set[int], list[Assertion]]] = []
    for value in sorted({a.value for a in told if not a.ends}):
        enders = [a for a in over if same_value(a.value, value)]
        if enders:
            own = [a for a in told if not a.ends and a.value == value]
            found.append(({a.node for a in own}, [*enders, *own]))
    return found


def _rival(peers: Sequence[Assertion], n: int) -> Assertion | None:
    """What ends the n-th of some peers: the next start, or the same value said again from the same start."""
    own = peers[n]
    later = (peers[k] for k in range(n + 1, len(peers)))
    return next((p for p in later if _bears_on(p, own) and (p.start > own.start or _repeats(p, own))), None)


def _repeats(later: Assertion, own: Assertion) -> bool:
    """Whether a later assertion of the same start takes the place of one, and does not contradict it."""
    return later.value == own.value and not _denies(later, own) and not _denies(own, later)


def _bears_on(later: Assertion, own: Assertion) -> bool:
    """Whether a later assertion ends one: a value ends every other, the end of a value only that value."""
    if _beside(later, own):
        return False
    return not later.ends or (not own.ends and same_value(later.value, own.value))


def same_value(one: str, other: str) -> bool:
    """Whether two values in compare form may name the same: the words of one are among the words of the other."""
    a, b = set(one.split()), set(other.split())
    return a <= b or b <= a


def _spell(
    own: Assertion, rival: Assertion | None, disputed: set[int], stronger: Sequence[tuple[Assertion, Spell]]
) -> Spell:
    start = _wait(own, stronger)
    cuts = [] if rival is None else [(rival.start, rival.order, rival.node)]
    cuts += [
        (s.start, a.order, a.node) for a, s in stronger if s.start > start and s.start < s.end and _bears_on(a, own)
    ]
    cut, _, by = min(cuts, default=(FOREVER, None, None))
    end = max(start, min(own.end, cut))
    conflict = own.node in disputed if start < end else bool(_opponents(own, stronger))
    return Spell(own.node, start, end, conflict, by if cut < own.end else None)


def _opponents(own: Assertion, stronger: Sequence[tuple[Assertion, Spell]]) -> frozenset[int]:
    """The stronger ones of another value that hold where this would begin; a draft only proposes its value."""
    if own.ends or own.strength == DRAFT_STRENGTH:
        return frozenset()
    return frozenset(
        a.node
        for a, spell in stronger
        if not a.ends
        and a.value != own.value
        and own.value not in a.wrong
        and spell.start <= own.start < spell.end
        and not _beside(a, own)
    )


def _wait(own: Assertion, stronger: Sequence[tuple[Assertion, Spell]]) -> int:
    start = own.start
    for a, spell in sorted(stronger, key=lambda pair: pair[1].start):
        if not a.ends and not _beside(a, own) and spell.start <= start < spell.end:
            start = spell.end
    return start
