"""The unit of recall, hydrated, and the one predicate that decides whether it may be shown."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from noosphere.ids import uid_text
from noosphere.model.slot import normal
from noosphere.model.vocabulary import CURRENT_STATUSES, Claim, Importance, Kind, NodeClass, Source, Status, Volatility

if TYPE_CHECKING:
    from noosphere.model.query import Filters, View


class Unit(NamedTuple):
    """A memory's fold or a conversation's turn, with everything a reader may ask of it.

    A tuple, because recall makes a hundred of them for a question. Times are microseconds UTC; `holds_to` is
    FOREVER while no end is known.
    """

    frame: int
    node: int
    frame_uid: bytes
    node_uid: bytes
    session_uid: bytes
    session_key: str | None
    conversation_key: str | None
    node_class: NodeClass
    title: str | None
    text: str
    turn_key: str | None
    speaker: str | None
    speaker_role: str | None
    participants: tuple[str, ...]
    t: int
    parent: int | None
    role: str
    status: Status
    kind: Kind
    volatility: Volatility
    importance: Importance
    source: Source
    claim: Claim
    confidence: float | None
    subject: str | None
    attribute: str | None
    value: str | None
    tags: tuple[str, ...]
    said_at: int | None
    recorded_at: int
    occurred_from: int | None
    occurred_to: int | None
    occurred_grain: str | None
    valid_from: int
    holds_from: int
    holds_to: int
    waits: bool
    conflict: bool
    known_from: int
    changed_at: int
    checked_at: int | None
    current_fold: bool
    alternative: bool
    retracted: bool
    secret: bool
    duplicate_candidate: bool
    suspect: float | None
    evidence_count: int
    use_count: int

    @property
    def id(self) -> bytes:
        """What callers cite: the frame for a turn, the node for a memory."""
        return self.frame_uid if self.node_class is NodeClass.CONVERSATION else self.node_uid

    @property
    def happened_at(self) -> int:
        """Where the unit stands in time: occurred, else stated, else said, else recorded."""
        return self.occurred_from if self.occurred_from is not None else self.valid_from


class Hidden(StrEnum):
    """Why a unit is not shown; the trace counts these."""

    FORGOTTEN = "forgotten"
    UNKNOWN_THEN = "not known at that time"
    OLD_TEXT = "an older text of the memory"
    STATUS = "deprecated or archived"
    NOT_YET = "not true yet"
    ENDED = "no longer true"
    FILTERED = "left out by a filter"


def hidden(unit: Unit, view: View, filters: Filters) -> Hidden | None:
    """The one predicate: why this unit may not be shown in this view, or None when it may.

    `unit` must have been hydrated as known at `view.known_at` when that is set.
    """
    if unit.retracted:
        return Hidden.FORGOTTEN
    if view.known_at is not None and unit.known_from > view.known_at:
        return Hidden.UNKNOWN_THEN
    if not unit.current_fold and not (view.include_past and unit.node_class is NodeClass.MEMORY):
        return Hidden.OLD_TEXT
    if not filters.statuses and not view.include_past and unit.status not in CURRENT_STATUSES:
        return Hidden.STATUS
    return _out_of_time(unit, view) or (None if _passes(unit, filters) else Hidden.FILTERED)


def _out_of_time(unit: Unit, view: View) -> Hidden | None:
    if unit.node_class is NodeClass.CONVERSATION:
        return Hidden.NOT_YET if view.as_of is not None and unit.happened_at > view.as_of else None
    if unit.holds_from > view.at and (view.as_of is not None or (unit.waits and not view.ahead)):
        return Hidden.NOT_YET
    if unit.holds_to <= view.at and not view.include_past:
        return Hidden.ENDED
    return None


def _passes(unit: Unit, f: Filters) -> bool:  # noqa: PLR0911  (a flat list of questions reads best)
    if f.ask_nothing:
        return True
    if f.tags and not set(f.tags) <= set(unit.tags):
        return False
    if not _is_one_of(unit, f):
        return False
    if f.speakers and (unit.speaker or "").casefold() not in f.speakers:
        return False
    if f.participants and not f.participants <= {p.casefold() for p in unit.participants}:
        return False
    if f.conversation is not None and f.conversation not in (unit.conversation_key, uid_text(unit.node_uid)):
        return False
    if f.session is not None and f.session not in (unit.session_key, uid_text(unit.session_uid)):
        return False
    if f.subject is not None and normal(f.subject) != normal(unit.subject or ""):
        return False
    if f.since is not None and unit.happened_at < f.since.start:
        return False
    return f.until is None or unit.happened_at < f.until.end


def _is_one_of(unit: Unit, f: Filters) -> bool:
    asked = (
        (f.kinds, unit.kind),
        (f.statuses, unit.status),
        (f.volatilities, unit.volatility),
        (f.classes, unit.node_class),
        (f.roles, unit.role),
        (f.importances, unit.importance),
        (f.sources, unit.source),
        (f.claims, unit.claim),
    )
    return all(not allowed or value in allowed for allowed, value in asked)
