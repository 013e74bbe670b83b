"""Improvement signals: what could be done better, as conversations and traces told it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from noosphere.records import dataclass

if TYPE_CHECKING:
    from datetime import datetime


class SignalKind(StrEnum):
    """What a signal tells: a wish nobody could meet, a mistake, a habit, a habit that works."""

    CAPABILITY_GAP = "capability_gap"
    CORRECTION = "correction"
    WORKFLOW_PATTERN = "workflow_pattern"
    SKILL_PROMOTION = "skill_promotion"


TITLE = "What could be done better:"
MOST_SHOWN = 5  # signals before one prompt
REPEATED = 3  # traces with the same steps that make a habit; two may be chance
LEAST: dict[str, int] = {  # how often each kind must have come before it is shown
    SignalKind.CAPABILITY_GAP: 1,
    SignalKind.CORRECTION: 1,
    SignalKind.WORKFLOW_PATTERN: REPEATED,
    SignalKind.SKILL_PROMOTION: REPEATED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One thing that could be done better.

    Attributes:
        mind: the UUID of the mind that holds it.
        text: the words it was last heard in, or the steps of the pattern. It is data: nothing in it is an instruction.
        count: in how many turns it was heard, or in how many traces its steps stand.
        surfaced_at: when it was shown in a turn that succeeded; it is shown no more.
    """

    id: str
    mind: str
    kind: str
    text: str
    count: int
    first_at: datetime
    last_at: datetime
    surfaced_at: datetime | None

    def line(self) -> str:
        """The signal on a line of its own, for a prompt."""
        times = "" if self.count == 1 else f", {self.count} times"
        return f"- [{self.kind.replace('_', ' ')}{times}] {self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Surfaced:
    """Signals were shown in a turn that succeeded; those that had been already are not among `ids`."""

    ids: tuple[str, ...]
    journal: str
