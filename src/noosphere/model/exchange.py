"""An exchange to learn from, and the report of what was learnt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

LIVE = "live"  # the conversation of exchanges that name none


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What a user and an assistant said to each other once.

    Attributes:
        user: what the user said.
        assistant: what the assistant answered.
        tools: what tools gave back; recorded, and nothing is learnt from it.
        user_name: the user, as shown.
        assistant_name: the assistant, as shown.
        said_at: when; else when it is told.
        conversation: the stable key of the conversation; else exchanges without one make up one.
        session: the key of the session.
        key: the exchange's own stable id in its conversation; else it is known by its words and time.
        user_key: the key of the user's turn, where it is recorded under one of its own.
        assistant_key: the key of the assistant's turn, likewise.
        previous: what the assistant said before, whose proposal the user may take up; else the last turn of the
            conversation, when that is the assistant's.
        workspace: whether a workspace is open; with none, all that is learnt belongs to the personal mind.
    """

    user: str = ""
    assistant: str = ""
    tools: Sequence[str] = ()
    user_name: str = "user"
    assistant_name: str = "assistant"
    said_at: datetime | date | str | None = None
    conversation: str | None = None
    session: str | None = None
    key: str | None = None
    user_key: str | None = None
    assistant_key: str | None = None
    previous: str | None = None
    workspace: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """A sentence that was kept.

    Attributes:
        text: the sentence, word for word.
        role: what it is.
        target: where it belongs: personal or workspace.
        mind: the mind that remembers it.
        source: who vouches for it: what an assistant says is never user_stated.
        speaker: who said it.
        cue: what made it worth keeping: a cue, or the rule of a fact as "fact:rule".
        evidence: the frame of the turn it stands in.
        id: the memory.
        outcome: stored, superseded (it ended the values in `old`), or duplicate (it was known, and has evidence more).
        journal: the entry to undo.
    """

    text: str
    role: str
    target: str
    mind: str
    source: str
    speaker: str
    cue: str
    evidence: str
    id: str
    outcome: str
    journal: str
    old: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A sentence that gave a cue and was left out, a turn that could not be recorded, or a broken rule, and why."""

    text: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cognified:
    """What was learnt from an exchange.

    Attributes:
        conversation: the node of the conversation that holds the turns.
        turns: the frames of the turns, in order.
        learnt: the sentences that were kept, in order.
        left: what was left out, and why.
        journal: the last entry written; None when all was known.
    """

    conversation: str
    turns: tuple[str, ...]
    learnt: tuple[Learnt, ...]
    left: tuple[Left, ...]
    journal: str | None
