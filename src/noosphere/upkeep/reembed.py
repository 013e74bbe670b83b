"""reembed: embed what waits, in every space whose model can run here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.store import vectors

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.upkeep.run import Run


def due(sql: Connection, _: int) -> int:
    """How many units wait, over all spaces."""
    return sum(vectors.count_waiting(sql).values())


def reembed(run: Run) -> None:
    """Embed in batches, outside every transaction; the worker's own lease keeps two from doing it twice."""
    while run.batch:
        done = run.means.embed(run.batch)
        if not done:
            break
        run.took(min(done, run.batch))
        with run.step():
            pass
