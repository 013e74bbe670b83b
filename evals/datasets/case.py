"""A case: conversations to remember, and questions with the turns that answer them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Said:
    """One turn; `id` is unique in its case."""

    id: str
    speaker: str
    role: str | None
    text: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Sitting:
    """One session of a conversation."""

    id: str
    at: datetime | None
    turns: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its gold: the turns that answer it, none when nothing does.

    Attributes:
        kind: the benchmark's own type, for the breakdown.
        at: when it is asked.
        scored: whether it counts in the headline (LoCoMo's adversarial category does not).
    """

    id: str
    text: str
    kind: str
    gold: frozenset[str]
    at: datetime | None = None
    abstain: bool = False
    scored: bool = True


@dataclass(frozen=True, slots=True)
class Case:
    """What one mind is filled with and asked.

    Attributes:
        one_conversation: whether the sittings are sessions of one conversation, or each is a conversation.
    """

    id: str
    sittings: tuple[Sitting, ...]
    participants: tuple[str, ...]
    questions: tuple[Question, ...]
    one_conversation: bool

    def session_of(self) -> dict[str, str]:
        """The session each turn belongs to."""
        return {turn.id: sitting.id for sitting in self.sittings for turn in sitting.turns}
