"""What recall returns: hits with their reasons, the rendered text, and the trace of how they came to be."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from noosphere.records import dataclass

if TYPE_CHECKING:
    from datetime import datetime

    from noosphere.model.trace import Trace


@dataclass(frozen=True, slots=True)
class Lane:
    """One lane's word for a hit: its rank there (1 is best) and its raw score."""

    name: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """When a hit was said, happened, and holds; None where open or not stated.

    `happened` is the occurred time no more exactly than it is known, such as 2026-05.
    """

    said: datetime | None
    happened: str | None
    valid_from: datetime
    valid_to: datetime | None
    recorded: datetime
    changed: datetime


@dataclass(frozen=True, slots=True)
class Said:
    """A turn beside a hit."""

    id: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One piece of evidence.

    Attributes:
        id: the frame of a turn, the node of a memory; every verb that takes an id takes it.
        text: the unit's text, or the excerpt of it that fits.
        span: where the best match lies, in characters of the whole text.
        score: higher is better, comparable only inside one answer.
        p: how sure the match is, 0 to 1, comparable between answers; None where nothing was asked (a catch-up).
        sure: whether p is high enough for the match to count as one.
        before: the turn this one follows in its session; `after` the one that follows it.
        lanes: which lanes found it, best first.
        terms: the query's words found in it.
        alternative: beside the conversation's path, or a branch of a memory: not what was settled on.
        current: false for something no longer true, shown because the past was asked for.
        secret: whether the text holds a key, a password, a card number or the like.
        suspect: how much the text looks like an attack, when it looks like one.
        stale_since: when it was last changed or checked, if it may have changed and that is more than 90 days ago.
        withheld: why a note stands in place of the text, when one does.
        begins: when the value of a slot begins to hold, if that lies ahead; it is not current then.
        also: memories that say the same in other words, for which this one stands.
        overtaken_by: of a memory, a later one that probably tells what has become of it and stands before it; of a turn
            of which nothing holds any more, the memory that took its place.
    """

    id: str
    node: str
    frame: str
    mind: str
    conversation: str | None
    session: str
    turn_key: str | None
    speaker: str | None
    speaker_role: str | None
    said_at: datetime | None
    title: str | None
    text: str
    span: tuple[int, int]
    score: float
    p: float | None
    sure: bool
    before: Said | None
    after: Said | None
    lanes: tuple[Lane, ...]
    terms: tuple[str, ...]
    dates: Dates
    role: str
    kind: str
    status: str
    importance: str
    volatility: str
    source: str
    claim: str
    confidence: float | None
    tags: tuple[str, ...]
    subject: str | None
    attribute: str | None
    value: str | None
    evidence_count: int
    alternative: bool
    current: bool
    conflict: bool
    secret: bool = False
    suspect: float | None = None
    stale_since: datetime | None = None
    withheld: str | None = None
    begins: datetime | None = None
    also: tuple[str, ...] = ()
    overtaken_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """An answer: the block of text for a prompt, the hits in it, and how it came to be."""

    text: str
    hits: tuple[Hit, ...]
    trace: Trace = field(repr=False)

    def explain(self) -> str:
        """Tell in plain lines what every step of the pipeline did."""
        return self.trace.explain()
