"""purge: finish an erasure that a reader held up: rewrite the files so that they hold only what the rows hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.store import cleaning, erasure

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.upkeep.run import Run


def due(sql: Connection, _: int) -> int:
    """1 while the files may still hold what was erased."""
    return int(erasure.is_cleaning(sql))


def purge(run: Run) -> None:
    """Clean the files; when a reader still keeps them, it stays due."""
    with run.mind.read() as sql:
        if not erasure.is_cleaning(sql):
            return
    if cleaning.clean(run.mind):
        with run.step() as tx:
            erasure.cleaned(tx.sql)
            run.took()
