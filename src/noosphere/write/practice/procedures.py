"""The verbs of procedures: write one down, count how a use of it ended, list."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.errors import InvalidInput, NotFound, shown
from noosphere.ids import uid_text
from noosphere.model.argument import read_count
from noosphere.model.execution import Ending, Procedure, ProcedureKept, ProcedureUsed
from noosphere.model.outcome import Reason, Refused
from noosphere.model.vocabulary import word
from noosphere.store import executions
from noosphere.write.practice.steps import pattern_of, read_name, read_steps, safe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.store.connection import Connection
    from noosphere.store.executions import ProcedureRow
    from noosphere.store.mind_file import MindFile

MAX_LISTED = 10_000


class Procedures:
    """Ways of doing something that have a name: record, outcome, list."""

    def __init__(self, mind: MindFile) -> None:
        self._mind = mind

    def record(self, name: str, steps: Iterable[str]) -> ProcedureKept | Refused:
        """Write a procedure down, or its steps anew; what was counted of it stays.

        Args:
            name: what it is called; case and spacing do not matter.
            steps: what to do, in order.

        Returns:
            ProcedureKept, or Refused when it says this already, or holds a secret and those are to be refused.

        Raises:
            InvalidInput: an argument has the wrong form; nothing was written.
        """
        lines = safe((read_name(name, "name"), *read_steps(steps)), self._mind.secrets)
        if isinstance(lines, Refused):
            return lines
        called, *kept = lines
        with self._mind.write() as tx:
            known = executions.procedure(tx.sql, norm_of(called))
            if known is not None and known.steps == tuple(kept):
                return Refused(reason=Reason.UNCHANGED, message="the procedure says this already")
            entry = tx.open("procedures.record")
            uid = executions.put_procedure(tx, entry, called, norm_of(called), kept, pattern_of(tuple(kept)))
            return ProcedureKept(
                id=uid_text(uid), name=called if known is None else known.name, journal=tx.close(entry, uid)
            )

    def outcome(self, name: str, outcome: str) -> ProcedureUsed:
        """Count how a use of a procedure ended; one that a trace tells of is counted by the trace.

        Args:
            name: the procedure.
            outcome: succeeded, failed or abandoned.

        Raises:
            InvalidInput: an unknown outcome.
            NotFound: there is no such procedure; near names are given.
        """
        ended = word(Ending, outcome, "outcome")
        if ended is None:
            raise InvalidInput("outcome", "is missing", f"Use one of: {', '.join(Ending)}")
        with self._mind.write() as tx:
            row = named(tx.sql, name)
            entry = tx.open("procedures.outcome")
            executions.use_procedure(tx, entry, norm_of(row.name), ended)
            return ProcedureUsed(
                id=uid_text(row.uid), name=row.name, uses=_uses(row) + 1, journal=tx.close(entry, row.uid)
            )

    def list(self, limit: int = 50) -> list[Procedure]:
        """Every procedure, those first that succeeded most often.

        Raises:
            InvalidInput: the limit is out of range.
        """
        with self._mind.read() as sql:
            rows = executions.procedures(sql, read_count(limit, "limit", 1, MAX_LISTED))
        return [_shown(row) for row in rows]


def norm_of(name: str) -> str:
    """A name by which a procedure is known again."""
    return " ".join(name.split()).casefold()


def named(sql: Connection, name: str) -> ProcedureRow:
    """The procedure of a name.

    Raises:
        InvalidInput: the name is empty.
        NotFound: there is no such procedure; near names are given.
    """
    called = read_name(name, "procedure")
    row = executions.procedure(sql, norm_of(called))
    if row is None:
        near = get_close_matches(norm_of(called), executions.procedure_norms(sql), n=2)
        remedy = f"Did you mean {' or '.join(map(shown, near))}?" if near else "Write it down with procedures.record()"
        raise NotFound("procedure", called, remedy)
    return row


def _uses(row: ProcedureRow) -> int:
    return row.succeeded + row.failed + row.abandoned


def _shown(row: ProcedureRow) -> Procedure:
    return Procedure(
        id=uid_text(row.uid),
        name=row.name,
        steps=row.steps,
        uses=_uses(row),
        succeeded=row.succeeded,
        failed=row.failed,
        abandoned=row.abandoned,
        created_at=moment(row.created_at),
        changed_at=moment(row.changed_at),
        used_at=None if row.used_at is None else moment(row.used_at),
    )
