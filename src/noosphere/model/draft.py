"""What a caller hands in: a memory to remember, or a turn to record, before anything is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A memory to store. Only `text` is needed; rules fill in what is left out.

    `speaker` is who said it, when it was not the user: "I" and "my" in it are theirs.

    Times are aware datetimes, dates, or ISO-8601 text; a date is a calendar span in the mind's zone.
    """

    text: str
    role: str | None = None
    kind: str | None = None
    importance: str | None = None
    status: str | None = None
    volatility: str | None = None
    source: str | None = None
    claim: str | None = None
    confidence: float | None = None
    evidence: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]] | None = None
    tags: str | Sequence[str] | None = None
    title: str | None = None
    metadata: Mapping[str, Any] | None = None
    trace_id: str | None = None
    session: str | None = None
    said_at: datetime | date | str | None = None
    occurred: datetime | date | str | None = None
    valid_from: datetime | date | str | None = None
    valid_to: datetime | date | str | None = None
    subject: str | None = None
    speaker: str | None = None
    slot: str | None = None
    value: str | None = None
    functional: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of a conversation.

    Attributes:
        key: the turn's own stable id inside its conversation; recording it again adds nothing.
        speaker: who said it, as shown.
        text: what was said.
        at: when it was said.
        speaker_role: user, assistant, tool, system, or None between people.
        session: the key of the session it belongs to; else a gap of more than six hours opens one.
        parent: the key of the turn it answers; None means the turn before it in this call, else the
            end of the conversation; "" means that it opens the conversation.
    """

    key: str
    speaker: str
    text: str
    at: datetime | date | str | None = None
    speaker_role: str | None = None
    session: str | None = None
    parent: str | None = None
