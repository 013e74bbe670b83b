"""Cleaning a mind's files of what its rows no longer hold: index pages, free pages, the WAL, segments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.store import fulltext, patience, segment_files

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile

PATIENCE_MILLISECONDS = 2000  # for readers of an older state, without whose leave the WAL cannot be emptied


def clean(mind: MindFile) -> bool:
    """Rewrite the files so that they hold only what the rows hold; false when a reader keeps the WAL.

    Segments that hold vectors of erased frames go; they are built again later.
    """
    with mind.db.write() as sql:
        fulltext.merge(sql)
        _strike(mind, sql)
    mind.forget_indexes()
    segment_files.sweep(mind)
    with mind.db.use() as sql:
        patience.wait(sql, PATIENCE_MILLISECONDS)
        try:
            sql.execute("VACUUM")
            ((busy, _, _),) = sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            patience.wait(sql)
    return not busy


def _strike(mind: MindFile, sql: Connection) -> None:
    """Take the segments that hold rows of erased frames from the manifest, with those after them in their space."""
    query = "SELECT s.space, s.lo, s.file, p.dim FROM segment AS s JOIN space AS p ON p.id = s.space ORDER BY s.lo"
    manifest = sql.execute(query).fetchall()
    if not manifest:
        return
    import numpy as np  # noqa: PLC0415  (only the meaning lane needs it)

    from noosphere.store.segments import open_segment  # noqa: PLC0415  (brings numpy)

    erased = [frame for (frame,) in sql.execute("SELECT id FROM frame WHERE purged_at IS NOT NULL")]
    for space, lo, file, dim in manifest:
        part = open_segment(mind.path.parent / file, incarnation=mind.incarnation, dim=dim)
        if part is None or np.isin(part.frames, erased).any():
            sql.execute("DELETE FROM segment WHERE space = ? AND lo >= ?", (space, lo))
