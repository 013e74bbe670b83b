"""A run of a pass that is under way: transactions, each counted in the run's row together with what it changed."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from noosphere.model.vocabulary import Channel
from noosphere.store import lease, upkeep_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from noosphere.store.mind_file import MindFile
    from noosphere.store.nodes import NodeRow, State
    from noosphere.store.transaction import Entry, Tx

BATCH = 500  # changes in one transaction: writers wait for it a few tenths of a second at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What passes have done by the writing side, which they do not know.

    Attributes:
        embed: embed at most so many units of what waits; returns how many were.
        change: open a node's next version and put its units in their place.
        compact: merge a memory, by its head, into an earlier one that says the same words; the entry, or None.
        join: merge an entity into another.
    """

    embed: Callable[[int], int]
    change: Callable[[Tx, Entry, NodeRow, State], object]
    compact: Callable[[Tx, int], str | None]
    join: Callable[[Tx, Entry, NodeRow, NodeRow], None]


class Taken(Exception):
    """Another process is at this pass."""


class Run:
    """One run: takes up at most `limit` things, in steps that are transactions."""

    def __init__(self, mind: MindFile, means: Means, name: str, limit: int) -> None:
        self.mind = mind
        self.means = means
        self.name = name
        self.limit = limit
        self.taken = 0
        self.changed = 0
        self.journals: list[str] = []
        self._number = 0
        self._reached: bytes | None = None

    @property
    def batch(self) -> int:
        """How much the next step may take up: 0 when the limit is reached."""
        return min(BATCH, self.limit - self.taken)

    @property
    def reached(self) -> bytes | None:
        """The frame up to which the pass has looked, in this run or an earlier one."""
        return self._reached

    def took(self, count: int = 1, *, changed: int | None = None, at: bytes | None = None) -> None:
        """Count what was taken up, how much of it was changed (all, when not said), and up to which frame."""
        self.taken += count
        self.changed += count if changed is None else changed
        self._reached = at or self._reached

    def idle(self) -> upkeep_runs.RunRow:
        """Write down that nothing was due.

        Raises:
            Taken: another living process is at the same pass.
        """
        with self._transaction() as tx:
            found = {"due": 0, **upkeep_runs.held(tx.sql)}
            number = upkeep_runs.begin(tx, self.name, self.limit, found)
            upkeep_runs.end(tx, number, found)
            lease.release(tx.sql, self._lease)
            return upkeep_runs.by_number(tx.sql, number)

    def begin(self, due: int) -> None:
        """Open the row of this run.

        Raises:
            Taken: another living process is at the same pass.
        """
        with self._transaction() as tx:
            before = {"due": due, **upkeep_runs.held(tx.sql)}
            self._number = upkeep_runs.begin(tx, self.name, self.limit, before)
            self._reached = upkeep_runs.reached(tx.sql, self.name)

    @contextmanager
    def step(self) -> Generator[Tx]:
        """One transaction; what it took up is noted in it, so that a killed run has done what its row says."""
        with self._transaction() as tx:
            yield tx
            upkeep_runs.count(tx, self._number, taken=self.taken, changed=self.changed, at=self._reached)

    def end(self, due: Callable[[], int]) -> upkeep_runs.RunRow:
        """Close the row with what is there now."""
        left = due()
        with self._transaction() as tx:
            upkeep_runs.count(tx, self._number, taken=self.taken, changed=self.changed, at=self._reached)
            upkeep_runs.end(tx, self._number, {"due": left, **upkeep_runs.held(tx.sql)})
            lease.release(tx.sql, self._lease)
            return upkeep_runs.by_number(tx.sql, self._number)

    def fail(self, problem: Exception) -> None:
        """Close the row with what stopped the run."""
        with self._transaction() as tx:
            upkeep_runs.end(tx, self._number, None, type(problem).__name__)
            lease.release(tx.sql, self._lease)

    @property
    def _lease(self) -> str:
        return f"upkeep:{self.name}"

    @contextmanager
    def _transaction(self) -> Generator[Tx]:
        with self.mind.write(rows=BATCH) as tx:
            tx.author = replace(tx.author, channel=Channel.UPKEEP)
            if not lease.take(tx.sql, self._lease, tx.clock_now):
                raise Taken
            yield tx
