"""reindex: put texts where they belong: what lost its place in an index, is in two, or is past and stands as current.

Only what is derived changes, so nothing is journalled and there is nothing to undo. `doctor --fix` makes all anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.store import nodes, units, untidy

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.upkeep.run import Run


def due(sql: Connection, now: int) -> int:
    """How many nodes have a text out of place."""
    return untidy.count_misplaced(sql, now)


def reindex(run: Run) -> None:
    """Settle them."""
    last: list[int] = []
    while run.batch:
        with run.step() as tx:
            misplaced = untidy.misplaced(tx.sql, tx.now, run.batch)
            if not misplaced or misplaced == last:  # what settling does not mend is for doctor
                break
            for node in misplaced:
                units.place(tx, nodes.by_id(tx.sql, node), tx.now)
            run.took(len(misplaced))
            last = misplaced
