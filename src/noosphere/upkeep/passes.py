"""The named passes of upkeep: each bounded, each change journalled, each run again going on where the last one stopped.

What is due is found in the mind itself, so a run that was cut off leaves no state behind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.clock import DAY, moment
from noosphere.errors import InvalidInput
from noosphere.model.argument import read_count
from noosphere.store import edges, pruning, vectors

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from noosphere.store.mind_file import MindFile

PRUNE_AFTER = 7 * DAY  # a weak link that nothing strengthened in a week
LIMIT = 1000
MOST = 1_000_000
BATCH = 1000  # changes in one transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a pass did.

    Attributes:
        changed: how many things it changed, at most `limit`.
        before, after: how many were due.
        journals: the entries it wrote; undo takes each back.
    """

    name: str
    limit: int
    started_at: datetime
    ended_at: datetime
    changed: int
    before: int
    after: int
    journals: tuple[str, ...]


class Upkeep:
    """Maintenance: call it with the name of a pass; `due` says which have work."""

    def __init__(self, mind: MindFile, embed: Callable[[int], int]) -> None:
        self._mind = mind
        self._embed = embed
        self._passes = {"prune": (self._prune, self._weak), "reembed": (self._reembed, self._waiting)}

    def __call__(self, name: str, limit: int = LIMIT) -> Ran:
        """Run one pass, for at most `limit` changes.

        Args:
            name: prune retires inferred edges weaker than 0.3 that have stood for 7 days; reembed embeds what is
                pending.
            limit: how many changes at most, 1 to 1,000,000.

        Raises:
            InvalidInput: there is no such pass, or the limit is out of range.
        """
        if name not in self._passes:
            raise InvalidInput.choice("name", name, sorted(self._passes))
        limit = read_count(limit, "limit", 1, MOST)
        run, count = self._passes[name]
        started, before = self._mind.clock.now(), count()
        changed, journals = run(limit)
        return Ran(
            name=name,
            limit=limit,
            started_at=moment(started),
            ended_at=moment(self._mind.clock.now()),
            changed=changed,
            before=before,
            after=count(),
            journals=tuple(journals),
        )

    def due(self) -> dict[str, int]:
        """How much each pass would have to do."""
        return {name: count() for name, (_, count) in self._passes.items()}

    def _weak(self) -> int:
        with self._mind.read() as sql:
            return pruning.count_due(sql, self._mind.clock.now() - PRUNE_AFTER)

    def _prune(self, limit: int) -> tuple[int, list[str]]:
        changed, journals = 0, list[str]()
        while changed < limit:
            with self._mind.write() as tx:
                weak = pruning.due(tx.sql, tx.now - PRUNE_AFTER, min(BATCH, limit - changed))
                if not weak:
                    break
                entry = tx.open("upkeep.prune")
                for edge in weak:
                    edges.retire(tx, entry, edge)
                journals.append(tx.close(entry))
            changed += len(weak)
        return changed, journals

    def _waiting(self) -> int:
        with self._mind.read() as sql:
            return sum(vectors.count_waiting(sql).values())

    def _reembed(self, limit: int) -> tuple[int, list[str]]:
        return self._embed(limit), []
