"""Execution traces and procedures: what an agent did, step by step, and which ways of doing something work."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


class Ending(StrEnum):
    """How something that was done ended."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionTrace:
    """What was done once.

    Attributes:
        task: what it was for.
        steps: what was done, in order.
        procedure: the name of the procedure that was followed, if one was.
        outcome: succeeded, failed or abandoned; None while that is not known.
        note: what is worth knowing about how it ended.
    """

    id: str
    task: str
    steps: tuple[str, ...]
    procedure: str | None
    at: datetime
    outcome: str | None
    note: str | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """A trace was recorded; `alike` is how many have the same steps, this one included."""

    id: str
    alike: int
    journal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceEnded:
    """How a trace ended was noted."""

    id: str
    ended: str
    journal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """A way of doing something that has a name.

    Attributes:
        steps: what to do, in order.
        uses: how often it was used to an end: `succeeded`, `failed` and `abandoned` together.
        changed_at: when its steps were last written down.
        used_at: when a use of it last ended.
    """

    id: str
    name: str
    steps: tuple[str, ...]
    uses: int
    succeeded: int
    failed: int
    abandoned: int
    created_at: datetime
    changed_at: datetime
    used_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureKept:
    """A procedure was written down, or its steps were changed; what was counted of it stays."""

    id: str
    name: str
    journal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureUsed:
    """A use of a procedure was counted."""

    id: str
    name: str
    uses: int
    journal: str
