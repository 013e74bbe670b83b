"""How well a concept is known: spaced repetition, apart from memory (the seed's orthogonal tracker)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """A concept that is being learnt.

    Attributes:
        answers: how often it was asked.
        correct: how often the answer was right.
        due_at: when to ask again.
        last_at: when it was asked last.
    """

    id: str
    concept: str
    answers: int
    correct: int
    due_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """An answer was counted, and when to ask again."""

    id: str
    concept: str
    due_at: datetime
    journal: str
