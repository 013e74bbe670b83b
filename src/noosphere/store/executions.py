"""Execution traces and procedures as they are stored."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.store.connection import Connection, Row
    from noosphere.store.transaction import Entry, Tx


@dataclass(frozen=True, slots=True)
class TraceRow:
    """A trace; `procedure` is the name of the one it followed."""

    id: int
    uid: bytes
    task: str
    steps: tuple[str, ...]
    pattern: str
    procedure: str | None
    at: int
    outcome: str | None
    note: str | None
    ended_at: int | None


@dataclass(frozen=True, slots=True)
class ProcedureRow:
    """A procedure and what was counted of it."""

    id: int
    uid: bytes
    name: str
    steps: tuple[str, ...]
    succeeded: int
    failed: int
    abandoned: int
    created_at: int
    changed_at: int
    used_at: int | None


_TRACE = """t.id, t.uid, t.task, t.steps, t.pattern, p.name, t.at, t.outcome, t.note, t.ended_at
  FROM execution_traces AS t LEFT JOIN procedures AS p ON p.id = t.procedure"""
_PROCEDURE = """id, uid, name, steps, succeeded, failed, abandoned, created_at, changed_at, used_at FROM procedures"""


def put_trace(tx: Tx, entry: Entry, task: str, steps: Sequence[str], pattern: str, procedure: int | None) -> bytes:
    """Add a trace that has not ended; returns its uid."""
    uid = tx.ids.new()
    tx.sql.execute(
        """INSERT INTO execution_traces (uid, task, steps, pattern, procedure, at, journal)
           VALUES (?, ?, ?, ?, ?, ?, ?)""",
        (uid, task, json.dumps(list(steps), ensure_ascii=False), pattern, procedure, entry.at, entry.id),
    )
    return uid


def end_trace(tx: Tx, entry: Entry, uid: bytes, outcome: str, note: str | None) -> None:
    """Note how a trace ended."""
    tx.sql.execute(
        "UPDATE execution_traces SET outcome = ?, note = ?, ended_at = ?, journal = ? WHERE uid = ?",
        (outcome, note, entry.at, entry.id, uid),
    )


def trace(sql: Connection, uid: bytes) -> TraceRow | None:
    """A trace by its id."""
    rows = sql.execute(f"SELECT {_TRACE} WHERE t.uid = ?", (uid,)).fetchall()
    return _trace(rows[0]) if rows else None


def traces(sql: Connection, outcome: str | None, procedure: int | None, limit: int) -> list[TraceRow]:
    """Traces with an outcome and of a procedure, or all; the newest first."""
    rows = sql.execute(
        f"""SELECT {_TRACE} WHERE (:outcome IS NULL OR t.outcome = :outcome)
            AND (:procedure IS NULL OR t.procedure = :procedure) ORDER BY t.id DESC LIMIT :limit""",
        {"outcome": outcome, "procedure": procedure, "limit": limit},
    )
    return [_trace(row) for row in rows]


def alike(sql: Connection, pattern: str) -> tuple[int, int, int]:
    """Of the traces with the same steps: how many there are, how many ended, how many succeeded."""
    query = """SELECT count(*), count(outcome), count(*) FILTER (WHERE outcome = 'succeeded')
      FROM execution_traces WHERE pattern = ?"""
    return sql.execute(query, (pattern,)).fetchall()[0]


def procedure(sql: Connection, norm: str) -> ProcedureRow | None:
    """A procedure by its normalised name."""
    rows = sql.execute(f"SELECT {_PROCEDURE} WHERE norm = ?", (norm,)).fetchall()
    return _procedure(rows[0]) if rows else None


def procedures(sql: Connection, limit: int) -> list[ProcedureRow]:
    """Procedures, those first that succeeded most often."""
    rows = sql.execute(
        f"SELECT {_PROCEDURE} ORDER BY succeeded DESC, coalesce(used_at, created_at) DESC, id LIMIT ?", (limit,)
    )
    return [_procedure(row) for row in rows]


def procedure_norms(sql: Connection) -> list[str]:
    """The normalised names of all procedures."""
    return [norm for (norm,) in sql.execute("SELECT norm FROM procedures ORDER BY norm")]


def is_procedure(sql: Connection, pattern: str) -> bool:
    """Whether a procedure has these steps."""
    return sql.execute("SELECT 1 FROM procedures WHERE pattern = ?", (pattern,)).get is not None


def put_procedure(tx: Tx, entry: Entry, name: str, norm: str, steps: Sequence[str], pattern: str) -> bytes:
    """Add a procedure, or write the steps of the one of this name anew; returns its uid."""
    return tx.sql.execute(
        """INSERT INTO procedures (uid, name, norm, steps, pattern, created_at, changed_at, journal)
           VALUES (:uid, :name, :norm, :steps, :pattern, :at, :at, :journal)
           ON CONFLICT (norm) DO UPDATE SET steps = excluded.steps, pattern = excluded.pattern,
             changed_at = excluded.changed_at, journal = excluded.journal RETURNING uid""",
        {
            "uid": tx.ids.new(),
            "name": name,
            "norm": norm,
            "steps": json.dumps(list(steps), ensure_ascii=False),
            "pattern": pattern,
            "at": entry.at,
            "journal": entry.id,
        },
    ).get


def use_procedure(tx: Tx, entry: Entry, norm: str, outcome: str) -> None:
    """Count a use of a procedure that ended so."""
    tx.sql.execute(
        """UPDATE procedures SET succeeded = succeeded + (:outcome = 'succeeded'),
             failed = failed + (:outcome = 'failed'), abandoned = abandoned + (:outcome = 'abandoned'),
             used_at = :at, journal = :journal WHERE norm = :norm""",
        {"outcome": outcome, "at": entry.at, "journal": entry.id, "norm": norm},
    )


def _trace(row: Row) -> TraceRow:
    number, uid, task, steps, *rest = row
    return TraceRow(number, uid, task, tuple(json.loads(steps)), *rest)


def _procedure(row: Row) -> ProcedureRow:
    number, uid, name, steps, *rest = row
    return ProcedureRow(number, uid, name, tuple(json.loads(steps)), *rest)
