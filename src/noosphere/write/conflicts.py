"""Conflicts: what contradicts what, why no rule can decide it, and what somebody who knows can do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.graph.facts import found_correction
from noosphere.graph.paraphrase import denies, statement
from noosphere.graph.resemblance import Detail, differing
from noosphere.ids import uid_text
from noosphere.model.timeline import disputes, opposed
from noosphere.model.vocabulary import Status
from noosphere.model.when import FIRST, LAST
from noosphere.store import conflicts, evidence, frames, nodes, slots, units
from noosphere.store.fold import fold

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from noosphere.store.connection import Connection
    from noosphere.store.nodes import State
    from noosphere.store.slots import SlotKey

ALL, NEW = "both", "new"  # what can be kept beside single sides


class Cause(StrEnum):
    """Why no rule settles a conflict; of several causes the first counts."""

    CORRECTION = "correction"
    CANONICAL = "canonical"
    WEAKER_SOURCE = "weaker_source"
    SAME_TIME = "same_time"
    NEGATION = "negation"
    CANDIDATE = "candidate"
    PROPOSED = "proposed"


TOLD = {
    Cause.CORRECTION: "a correction may mean any of these",
    Cause.CANONICAL: "it contradicts a canonical memory, which stays until somebody decides",
    Cause.WEAKER_SOURCE: "its source is weaker than that of what it contradicts",
    Cause.SAME_TIME: "these hold from the same time, by sources of equal strength",
    Cause.NEGATION: "the one denies what the other says",
    Cause.CANDIDATE: "they say the same but for {}, and may contradict each other",
    Cause.PROPOSED: "a language model takes them for contradictory",
}
DIFFERS = {
    Detail.NUMBER: "a number",
    Detail.DATE: "a date",
    Detail.NAME: "a name",
    Detail.NEGATION: "a negation",
    Detail.OPPOSITE: "a word and its opposite",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One memory of a conflict.

    Attributes:
        text: what it says, as data; None when it is withheld itself.
        told_at: when it was said, else recorded.
        holds_from: since when it holds, as far as it holds at all.
        current: whether it is read as true now.
    """

    id: str
    text: str | None
    value: str | None
    source: str
    status: str
    claim: str
    told_at: datetime
    holds_from: datetime | None
    holds_to: datetime | None
    current: bool
    evidence_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Memories that contradict each other, until `review.settle(id, keep)` says what is right.

    Attributes:
        id: the side that was told last, or the correction; `settle` takes the id of any side.
        cause: why no rule settles it.
        why: the same in words.
        slot: the slot they fill, as subject.attribute.
        correction: what may have meant any of the sides.
        options: what can be kept, and what that does.
        since: when it came up.
    """

    kind: str = "conflict"
    id: str
    cause: Cause
    why: str
    slot: str | None
    correction: Side | None
    sides: tuple[Side, ...]
    options: dict[str, str]
    since: datetime


@dataclass(frozen=True, slots=True)
class Dispute:
    """A conflict by its nodes, in the order they came."""

    cause: Cause
    sides: tuple[int, ...]
    corrections: tuple[int, ...]

    @property
    def nodes(self) -> tuple[int, ...]:
        """All that stand in it."""
        return tuple(sorted({*self.sides, *self.corrections}))


def disputes_in(sql: Connection, now: int) -> list[Dispute]:
    """Every conflict that waits."""
    causes = _in_slots(sql, now)
    marked = conflicts.marked(sql)
    corrections = {node for node in marked if _corrects(sql, node)}
    causes += [_of_marked(sql, node, set(marked), corrections) for node in marked]
    found = [_dispute(group, corrections) for group in _joined(causes)]
    return sorted((one for one in found if len(one.nodes) > 1), key=lambda d: d.nodes[-1])


def described(sql: Connection, dispute: Dispute, now: int) -> Conflict:
    """A conflict as it is shown."""
    last = (dispute.corrections or dispute.sides)[-1]
    state = nodes.current(sql, dispute.sides[-1] if dispute.sides else last).state
    told = None if state.attribute is None else f"{state.subject}.{state.attribute}"
    one_slot = {_slot(nodes.current(sql, n).state) for n in dispute.sides}
    return Conflict(
        id=uid_text(nodes.by_id(sql, last).uid),
        cause=dispute.cause,
        why=_why(sql, dispute),
        slot=told if len(one_slot) == 1 else None,
        correction=_side(sql, dispute.corrections[-1], now) if dispute.corrections else None,
        sides=tuple(_side(sql, node, now) for node in dispute.sides),
        options=_options(sql, dispute),
        since=moment(max(nodes.current(sql, node).known_from for node in dispute.nodes)),
    )


def _in_slots(sql: Connection, now: int) -> list[tuple[Cause, set[int]]]:
    """What contradicts each other in a slot, by its timeline alone."""
    disputed = conflicts.disputed(sql, now)
    filled = {_slot(nodes.current(sql, node).state) for node in disputed}
    found: list[tuple[Cause, set[int]]] = []
    for slot in sorted((s for s in filled if s is not None), key=lambda s: (s.subject, s.attribute)):
        told, one = slots.assertions(sql, slot)
        groups = (group.intersection(disputed) for group in disputes(told, one=one))
        found += [(Cause.SAME_TIME, set(group)) for group in groups if group]
        weaker = opposed(told) if one else {}
        found += [(_opposing(sql, holders), {node, *holders}) for node, holders in weaker.items() if node in disputed]
    return found


def _opposing(sql: Connection, holders: Iterable[int]) -> Cause:
    canonical = any(nodes.current(sql, n).state.status is Status.CANONICAL for n in holders)
    return Cause.CANONICAL if canonical else Cause.WEAKER_SOURCE


def _slot(state: State) -> SlotKey | None:
    return slots.slot_of(state.slot_subject, state.attribute)


def _corrects(sql: Connection, node: int) -> bool:
    if not conflicts.was_marked_at_first(sql, node):
        return False
    head = nodes.current(sql, node).state.head
    return head is not None and found_correction(fold(sql, head) or "") is not None


def _of_marked(sql: Connection, node: int, marked: set[int], corrections: set[int]) -> tuple[Cause, set[int]]:
    """Why a memory is marked, and what it stands in conflict with."""
    partners = conflicts.tied(sql, node) & marked
    if node in corrections or partners & corrections:
        return Cause.CORRECTION, {node, *partners}
    slot = _slot(nodes.current(sql, node).state)
    if slot is not None and (stronger := conflicts.rivals(sql, node, slot)):
        return _opposing(sql, stronger), {node, *stronger}
    if not partners:
        return Cause.CANONICAL, {node}
    denied = any(_denies(sql, node, other) for other in partners)
    differs = not denied and any(_detail(sql, node, other) for other in partners)
    if not denied and not differs and partners & conflicts.proposed(sql, node):
        return Cause.PROPOSED, {node, *partners}
    return Cause.CANDIDATE if differs else Cause.NEGATION, {node, *partners}


def _denies(sql: Connection, node: int, other: int) -> bool:
    one, two = (statement(_words(sql, n)) for n in (node, other))
    return one is not None and two is not None and denies(one, two)


def _detail(sql: Connection, node: int, other: int) -> Detail | None:
    return differing(_words(sql, node), _words(sql, other))


def _words(sql: Connection, node: int) -> str:
    return fold(sql, nodes.current(sql, node).state.head_frame) or ""


def _joined(causes: list[tuple[Cause, set[int]]]) -> list[tuple[Cause, set[int]]]:
    """Groups that share a memory as one, with the first of their causes."""
    joined: list[tuple[Cause, set[int]]] = []
    for cause, group in causes:
        apart = [one for one in joined if not one[1] & group]
        touching = [one for one in joined if one[1] & group]
        found = min([cause, *(c for c, _ in touching)], key=list(Cause).index)
        joined = [*apart, (found, group.union(*(nodes for _, nodes in touching)))]
    return joined


def _dispute(group: tuple[Cause, set[int]], corrections: set[int]) -> Dispute:
    cause, found = group
    return Dispute(cause, tuple(sorted(found - corrections)), tuple(sorted(found & corrections)))


def _why(sql: Connection, dispute: Dispute) -> str:
    told = TOLD[dispute.cause]
    return told.format(_differs(sql, dispute.sides)) if dispute.cause is Cause.CANDIDATE else told


def _differs(sql: Connection, sides: Iterable[int]) -> str:
    """In what memories differ, in words."""
    found = {detail for a, b in combinations(sides, 2) if (detail := _detail(sql, a, b)) is not None}
    return " and ".join(words for detail, words in DIFFERS.items() if detail in found) or "a detail"


def _side(sql: Connection, node: int, now: int) -> Side:
    state = nodes.current(sql, node).state
    row, head = nodes.by_id(sql, node), frames.by_id(sql, state.head_frame)
    spell = slots.stored(sql, {node}).get(node)
    start, end = (spell.start, spell.end) if spell else (state.valid_from or 0, units.ends_at(sql, node, state))
    withheld = state.secret or state.suspect is not None
    return Side(
        id=uid_text(row.uid),
        text=None if withheld else fold(sql, head.id),
        value=None if withheld else state.value,
        source=state.source,
        status=state.status,
        claim=state.claim,
        told_at=moment(head.recorded_at if head.said_at is None else head.said_at),
        holds_from=moment(start) if start < end and start >= FIRST else None,
        holds_to=moment(end) if start < end < LAST else None,
        current=start <= now < end,
        evidence_count=evidence.count(sql, row.uid),
    )


def _options(sql: Connection, dispute: Dispute) -> dict[str, str]:
    """What can be kept, by what is to be said, and what that does."""
    others = "the other is" if len(dispute.sides) == 1 + 1 else "the others are"
    options = {uid_text(nodes.by_id(sql, n).uid): f"keep this; {others} retired as wrong" for n in dispute.sides}
    if dispute.corrections:
        return options | {ALL: "keep all of them", NEW: "the correction means all of them: retire them as wrong"}
    slots = {_slot(nodes.current(sql, n).state) for n in dispute.sides}
    ends = dispute.cause is Cause.CANDIDATE or (len(slots) == 1 and None not in slots)
    new = "from its start on; what held before ends there" if ends else f"and {others} retired as wrong"
    return options | {ALL: "keep all of them side by side", NEW: f"what was told last is right {new}"}
