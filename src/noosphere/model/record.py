"""What the reading verbs answer about one thing: memories, conversations, turns, entities, their history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One reason to believe something."""

    mind: str | None
    frame: str | None
    source_id: str | None
    uri: str | None
    at: datetime
    journal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A memory in full, as it stands now (or as it was, in `history`).

    `stale_since` is when it was last changed or checked, if it may have changed and that is more than 90 days ago.
    `suspect` is how much the text looks like an attack, when it looks like one; `secret` says that it holds a key, a
    password or the like. Recall withholds both.
    """

    id: str
    frame: str
    text: str
    title: str | None
    role: str
    kind: str
    status: str
    volatility: str
    importance: str
    source: str
    claim: str
    confidence: float | None
    subject: str | None
    attribute: str | None
    value: str | None
    tags: tuple[str, ...]
    metadata: dict[str, Any]
    trace_id: str | None
    session: str
    said_at: datetime | None
    recorded_at: datetime
    occurred: str | None
    valid_from: datetime
    valid_from_basis: str
    valid_to: datetime | None
    holds_from: datetime | None
    holds_to: datetime | None
    current: bool
    conflict: bool
    forgotten_at: datetime | None
    merged_into: str | None
    evidence: tuple[Evidence, ...]
    evidence_count: int
    use_count: int
    last_used_at: datetime | None
    checked_at: datetime | None
    stale_since: datetime | None
    secret: bool
    suspect: float | None
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """A turn of a conversation with its neighbours on the path; `secret` and `suspect` as those of a memory."""

    id: str
    conversation: str
    conversation_key: str | None
    turn_key: str
    session: str
    speaker: str
    speaker_role: str | None
    participants: tuple[str, ...]
    text: str
    said_at: datetime | None
    recorded_at: datetime
    on_path: bool
    previous: str | None
    next: str | None
    secret: bool
    suspect: float | None
    forgotten_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation: its key, title, and the turns of its current path in order."""

    id: str
    key: str | None
    title: str | None
    head: str | None
    turns: tuple[str, ...]
    alternatives: tuple[str, ...]
    sessions: tuple[str, ...]
    status: str
    tags: tuple[str, ...]
    metadata: dict[str, Any]
    forgotten_at: datetime | None
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A person, project, place or thing that memories speak of."""

    id: str
    type: str
    name: str
    norm_name: str
    seen_count: int
    properties: dict[str, Any]
    status: str
    tags: tuple[str, ...]
    merged_into: str | None
    forgotten_at: datetime | None
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One state of a node: what it was, and from when to when this mind believed it."""

    version: int
    known_from: datetime
    known_to: datetime | None
    journal: str
    verb: str
    state: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Everything a node has been: versions, texts with their frames, and the spells of its slot."""

    id: str
    node_class: str
    versions: tuple[Version, ...]
    texts: tuple[tuple[str, str | None], ...]
    spells: tuple[tuple[str, datetime, datetime | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One change: who made it, through which door, and the ids it touched. Never text."""

    id: str
    at: datetime
    verb: str
    actor: str
    channel: str
    target: str | None
    undoes: str | None
    undone_by: str | None
    detail: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A container of what was said in one sitting."""

    id: str
    key: str | None
    project: str | None
    title: str | None
    status: str
    started_at: datetime
    last_at: datetime | None
    frames: int
    actor: str
    channel: str
