"""The named passes of upkeep: each bounded, each run and change on record, each going on where the last one stopped.

What is due is found in the mind itself, and a run's row is counted on with every transaction: a run that was killed has
done what its row says, and the next one does the rest.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.errors import InvalidInput, NoosphereError
from noosphere.ids import uid_text
from noosphere.model.argument import read_count
from noosphere.model.outcome import Reason, Refused
from noosphere.store import upkeep_runs
from noosphere.store.journal import newest_at
from noosphere.upkeep import compact, dedupe_entities, prune, purge, reembed, reindex, retire, staleness
from noosphere.upkeep.run import Run, Taken

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.upkeep.run import Means

LIMIT = 1000
MOST = 1_000_000
MAX_RUNS = 10_000


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass: what it does in a few words, how much is due, and how to do it."""

    help: str
    due: Callable[[Connection, int], int]
    work: Callable[[Run], None]


PASSES = {
    "staleness": Pass("marks what may have changed and nobody checked for 90 days", staleness.due, staleness.staleness),
    "prune": Pass("retires edges that were inferred, weigh under 0.3 and stood for 7 days", prune.due, prune.prune),
    "compact": Pass("merges memories that say the same words", compact.due, compact.compact),
    "retire": Pass("archives temporary memories nobody needed for 30 days", retire.due, retire.retire),
    "dedupe_entities": Pass("merges entities of one type and name", dedupe_entities.due, dedupe_entities.dedupe),
    "reindex": Pass("puts texts in the index they belong in", reindex.due, reindex.reindex),
    "reembed": Pass("embeds what waits", reembed.due, reembed.reembed),
    "purge": Pass("finishes an erasure that a reader held up", purge.due, purge.purge),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a run of a pass did.

    Attributes:
        name: the pass.
        status: done, running, failed (it met `problem`), or interrupted (its process ended in the middle).
        limit: how many things it might take up.
        taken: how many it took up, changed or not.
        changed: how many it changed.
        before, after: how many were due.
        held_before, held_after: how many memories and entities were in use, and how many edges stood.
        journals: the entries it wrote; undo takes each back.
    """

    id: str
    name: str
    status: str
    limit: int
    started_at: datetime
    ended_at: datetime | None
    actor: str
    taken: int
    changed: int
    before: int
    after: int | None
    held_before: dict[str, int]
    held_after: dict[str, int]
    problem: str | None = None
    journals: tuple[str, ...] = ()


class Upkeep:
    """Maintenance: call it with the name of a pass; `due` says which have work, `runs` what was done."""

    def __init__(self, mind: MindFile, means: Means) -> None:
        self._mind = mind
        self._means = means

    def __call__(self, name: str, limit: int = LIMIT) -> Ran | Refused:
        """Run one pass.

        Args:
            name: one of PASSES, which say what each does.
            limit: how many things to take up at most, 1 to 1,000,000.

        Returns:
            What it did, or Refused while another process runs the same pass.

        Raises:
            InvalidInput: there is no such pass, or the limit is out of range.
        """
        if name not in PASSES:
            raise InvalidInput.choice("name", name, PASSES)
        run = Run(self._mind, self._means, name, read_count(limit, "limit", 1, MOST))
        try:
            return self._run(run)
        except Taken:
            message = f"another process runs {name}; try again when it is done"
            return Refused(reason=Reason.BLOCKED, message=message)

    def due(self) -> dict[str, int]:
        """How much each pass would have to do."""
        return {name: self._due(name) for name in PASSES}

    def runs(self, limit: int = 20) -> list[Ran]:
        """The newest runs first, also those that were cut off.

        Raises:
            InvalidInput: a limit outside 1..10,000.
        """
        limit = read_count(limit, "limit", 1, MAX_RUNS)
        with self._mind.read() as sql:
            return [_ran(row) for row in upkeep_runs.newest(sql, limit)]

    def stale(self, limit: int = 100) -> list[staleness.Stale]:
        """What the staleness pass marked and nobody has looked at since, the longest unchecked first.

        Raises:
            InvalidInput: a limit outside 1..10,000.
        """
        limit = read_count(limit, "limit", 1, MAX_RUNS)
        with self._mind.read() as sql:
            return staleness.listed(sql, self._now(sql), limit)

    def _run(self, run: Run) -> Ran:
        due = self._due(run.name)
        if due == 0:
            return _ran(run.idle())
        run.begin(due)
        try:
            PASSES[run.name].work(run)
        except Exception as problem:
            with suppress(NoosphereError, Taken):  # the first problem is the one to tell
                run.fail(problem)
            raise
        return _ran(run.end(lambda: self._due(run.name)), tuple(run.journals))

    def _due(self, name: str) -> int:
        with self._mind.read() as sql:
            return PASSES[name].due(sql, self._now(sql))

    def _now(self, sql: Connection) -> int:
        return max(self._mind.clock.now(), newest_at(sql))


def _ran(row: upkeep_runs.RunRow, journals: tuple[str, ...] = ()) -> Ran:
    before, after = dict(row.before), dict(row.after or {})
    return Ran(
        id=uid_text(row.uid),
        name=row.name,
        status=row.status,
        limit=row.most,
        started_at=moment(row.started_at),
        ended_at=None if row.ended_at is None else moment(row.ended_at),
        actor=row.actor,
        taken=row.taken,
        changed=row.changed,
        before=before.pop("due"),
        after=after.pop("due", None),
        held_before=before,
        held_after=after,
        problem=row.problem,
        journals=journals,
    )
