"""prune: retire edges that were inferred, are weak, and that nothing strengthened in a week."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.clock import DAY
from noosphere.store import edges, untidy

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.upkeep.run import Run

AFTER = 7 * DAY  # a weak link that nothing strengthened in a week (seed)


def due(sql: Connection, now: int) -> int:
    """How many edges would go."""
    return untidy.count_weak_edges(sql, now - AFTER)


def prune(run: Run) -> None:
    """Retire weak edges; one journal entry for each transaction."""
    while run.batch:
        with run.step() as tx:
            weak = untidy.weak_edges(tx.sql, tx.now - AFTER, run.batch)
            if not weak:
                break
            entry = tx.open("upkeep.prune")
            for edge in weak:
                edges.retire(tx, entry, edge)
            run.journals.append(tx.close(entry))
            run.took(len(weak))
