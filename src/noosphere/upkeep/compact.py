"""compact: merge memories that say the same words, but for case, articles and punctuation, and are described alike.

It needs no model, and goes through the texts once, in the order they came. The later memory leads to the earlier one,
which gets its evidence and tags. No two texts are ever joined into one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.store import frames, untidy, upkeep_runs

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.upkeep.run import Run

NAME = "compact"


def due(sql: Connection, _: int) -> int:
    """How many texts were not compared yet."""
    return untidy.count_unread(sql, _number(sql, upkeep_runs.reached(sql, NAME)))


def compact(run: Run) -> None:
    """Compare each text with the earlier ones that hold its words."""
    while run.batch:
        with run.step() as tx:
            unread = untidy.unread(tx.sql, _number(tx.sql, run.reached), run.batch)
            if not unread:
                break
            merged = [entry for frame in unread if (entry := run.means.compact(tx, frame)) is not None]
            run.journals += merged
            run.took(len(unread), changed=len(merged), at=frames.by_id(tx.sql, unread[-1]).uid)


def _number(sql: Connection, frame: bytes | None) -> int:
    found = None if frame is None else frames.by_uid(sql, frame)
    return 0 if found is None else found.id
