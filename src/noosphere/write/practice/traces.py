"""The verbs of execution traces: record what was done, say how it ended, list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.errors import InvalidInput, NotFound
from noosphere.ids import parse_uid, uid_text
from noosphere.model.argument import read_count
from noosphere.model.execution import Ending, ExecutionTrace, Traced, TraceEnded
from noosphere.model.outcome import Reason, Refused
from noosphere.model.vocabulary import word
from noosphere.store import executions
from noosphere.write.practice.hearing import look_for_habits
from noosphere.write.practice.procedures import named, norm_of
from noosphere.write.practice.steps import pattern_of, read_name, read_short, read_steps, safe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.store.executions import TraceRow
    from noosphere.store.mind_file import MindFile
    from noosphere.store.transaction import Tx

MAX_LISTED = 10_000


class Traces:
    """What was done, step by step: record, outcome, list."""

    def __init__(self, mind: MindFile) -> None:
        self._mind = mind

    def record(
        self,
        task: str,
        steps: Iterable[str],
        *,
        outcome: str | None = None,
        note: str | None = None,
        procedure: str | None = None,
    ) -> Traced | Refused:
        """Record what was done.

        Args:
            task: what it was for.
            steps: what was done, in order, such as the tools that were used; the same steps are known again.
            outcome: succeeded, failed or abandoned, when that is known already.
            note: what is worth knowing about how it ended; only with an outcome.
            procedure: the name of the procedure that was followed; its use is counted with the outcome.

        Returns:
            Traced, or Refused when it holds a secret and the mind's policy is to refuse those.

        Raises:
            InvalidInput: an argument has the wrong form; nothing was written.
            NotFound: there is no such procedure.
        """
        aim, done = read_name(task, "task"), read_steps(steps)
        ended, said = word(Ending, outcome, "outcome"), read_short(note, "note")
        if said is not None and ended is None:
            raise InvalidInput("note", "says how it ended, and no outcome does", "Give an outcome too")
        lines = safe((aim, *done, said or ""), self._mind.secrets)
        if isinstance(lines, Refused):
            return lines
        aim, *kept, said = lines
        with self._mind.write() as tx:
            followed = None if procedure is None else named(tx.sql, procedure)
            entry = tx.open("traces.record")
            taken = tuple(kept)
            uid = executions.put_trace(
                tx, entry, aim, taken, pattern_of(taken), None if followed is None else followed.id
            )
            if ended is not None:
                executions.end_trace(tx, entry, uid, ended, said or None)
                if followed is not None:
                    executions.use_procedure(tx, entry, norm_of(followed.name), ended)
            journal = tx.close(entry, uid)
            look_for_habits(tx, taken)
            return Traced(id=uid_text(uid), alike=executions.alike(tx.sql, pattern_of(taken))[0], journal=journal)

    def outcome(self, id: str, outcome: str, *, note: str | None = None) -> TraceEnded | Refused:
        """Say how something that was done ended; a trace ends once.

        Args:
            id: the trace.
            outcome: succeeded, failed or abandoned.
            note: what is worth knowing about it.

        Raises:
            InvalidInput: an argument has the wrong form.
            NotFound: there is no trace of this id.
        """
        ended, lines = _ending(outcome), safe((read_short(note, "note") or "",), self._mind.secrets)
        if isinstance(lines, Refused):
            return lines
        with self._mind.write() as tx:
            row = _trace(tx, id)
            if row.outcome is not None:
                return Refused(reason=Reason.UNCHANGED, message=f"it ended already: {row.outcome}")
            entry = tx.open("traces.outcome")
            executions.end_trace(tx, entry, row.uid, ended, lines[0] or None)
            if row.procedure is not None:
                executions.use_procedure(tx, entry, norm_of(row.procedure), ended)
            journal = tx.close(entry, row.uid)
            look_for_habits(tx, row.steps)
            return TraceEnded(id=uid_text(row.uid), ended=ended, journal=journal)

    def list(
        self, limit: int = 50, *, outcome: str | None = None, procedure: str | None = None
    ) -> list[ExecutionTrace]:
        """What was done, the newest first.

        Args:
            limit: how many, at most.
            outcome: only those that ended so.
            procedure: only those that followed this procedure.

        Raises:
            InvalidInput: an unknown outcome, or a limit out of range.
            NotFound: there is no such procedure.
        """
        ended, most = word(Ending, outcome, "outcome"), read_count(limit, "limit", 1, MAX_LISTED)
        with self._mind.read() as sql:
            followed = None if procedure is None else named(sql, procedure).id
            return [_shown(row) for row in executions.traces(sql, ended, followed, most)]


def _ending(outcome: str | None) -> Ending:
    """Read how something ended.

    Raises:
        InvalidInput: it is left out, or no such word.
    """
    ended = word(Ending, outcome, "outcome")
    if ended is None:
        raise InvalidInput("outcome", "is missing", f"Use one of: {', '.join(Ending)}")
    return ended


def _trace(tx: Tx, id: str) -> TraceRow:
    row = executions.trace(tx.sql, parse_uid(id))
    if row is None:
        raise NotFound("trace", id, "List them with traces.list()")
    return row


def _shown(row: TraceRow) -> ExecutionTrace:
    return ExecutionTrace(
        id=uid_text(row.uid),
        task=row.task,
        steps=row.steps,
        procedure=row.procedure,
        at=moment(row.at),
        outcome=row.outcome,
        note=row.note,
        ended_at=None if row.ended_at is None else moment(row.ended_at),
    )
