"""staleness: mark what may have changed and nobody changed or checked for 90 days, as a list of what to look at.

Every reader shows such memories as stale by the same rule, marked or not; a mark changes nothing that they say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.ids import uid_text
from noosphere.model.staleness import STALE_AFTER
from noosphere.store import nodes, usage
from noosphere.store import staleness as rows
from noosphere.store.hydrate import units

if TYPE_CHECKING:
    from datetime import datetime

    from noosphere.store.connection import Connection
    from noosphere.upkeep.run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Stale:
    """A memory to look at: check it, revise it or forget it.

    Attributes:
        since: when it was last known to hold.
        text: what it says; None when it looks like an attack or holds a secret.
    """

    id: str
    text: str | None
    volatility: str
    importance: str
    status: str
    since: datetime


def due(sql: Connection, now: int) -> int:
    """How many memories would be marked."""
    return rows.count_unmarked(sql, now - STALE_AFTER)


def staleness(run: Run) -> None:
    """Mark them; one journal entry for each transaction."""
    while run.batch:
        with run.step() as tx:
            found = rows.unmarked(tx.sql, tx.now - STALE_AFTER, run.batch)
            if not found:
                break
            entry = tx.open("upkeep.staleness")
            for number in found:
                usage.note(tx, entry, nodes.by_id(tx.sql, number), stale_at=entry.at)
            run.journals.append(tx.close(entry))
            run.took(len(found))


def listed(sql: Connection, now: int, limit: int) -> list[Stale]:
    """What is marked and still stale, the longest unchecked first."""
    marked = dict(rows.marked(sql, now - STALE_AFTER, limit))
    found = units(sql, marked)
    return [
        Stale(
            id=uid_text(unit.id),
            text=None if unit.secret or unit.suspect is not None else unit.text,
            volatility=unit.volatility,
            importance=unit.importance,
            status=unit.status,
            since=moment(since),
        )
        for head, since in marked.items()
        if (unit := found.get(head)) is not None
    ]
