"""What the agent is at just now: at most ten live items beside the memories, never frames."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from noosphere.records import dataclass

if TYPE_CHECKING:
    from datetime import datetime

MOST = 10  # live items; more would crowd a prompt (seed)
LEAST_PRIORITY, PRIORITY, MOST_PRIORITY = 0, 5, 10


class Category(StrEnum):
    """What an item of awareness is."""

    TASK = "task"
    ACTION = "action"
    PENDING = "pending"
    FLAG = "flag"


@dataclass(frozen=True, slots=True, kw_only=True)
class AwarenessItem:
    """One thing the agent is at.

    Attributes:
        priority: 0 to 10, 10 the most important.
        mind: the UUID of the mind that holds it.
        expires_at: when it stops being shown by itself; None is never.
    """

    id: str
    mind: str
    category: str
    text: str
    priority: int
    metadata: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """An item of awareness was added or changed; `pushed_out` had to leave for it, being the least important."""

    id: str
    journal: str
    pushed_out: tuple[AwarenessItem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """An item of awareness is done with."""

    id: str
    journal: str
