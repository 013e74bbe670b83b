"""retire: archive temporary memories that nobody changed, told again, used or checked for a month."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.clock import DAY
from noosphere.model.vocabulary import Status
from noosphere.store import nodes, untidy

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.upkeep.run import Run

AFTER = 30 * DAY  # what was called temporary has a month (seed)


def due(sql: Connection, now: int) -> int:
    """How many memories would go."""
    return untidy.count_unneeded(sql, now - AFTER)


def retire(run: Run) -> None:
    """Archive them, each with a journal entry of its own, so that each can be taken back by itself."""
    while run.batch:
        with run.step() as tx:
            unneeded = untidy.unneeded(tx.sql, tx.now - AFTER, run.batch)
            if not unneeded:
                break
            for number in unneeded:
                node = nodes.by_id(tx.sql, number)
                entry = tx.open("upkeep.retire")
                state = nodes.current(tx.sql, number).state
                run.means.change(tx, entry, node, state._replace(status=Status.ARCHIVED))
                run.journals.append(tx.close(entry, node.uid))
            run.took(len(unneeded))
