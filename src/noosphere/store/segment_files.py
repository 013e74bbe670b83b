"""The segment files beside a mind: which are trusted, which are strays, and clearing them away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.store.checks import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile


def findings(mind: MindFile, sql: Connection) -> Iterator[Finding]:
    """Segments of the manifest that cannot be used, and files of this mind that the manifest does not know."""
    for pair in mind.spaces().values():
        for space in pair.values():
            for name in mind.index(space).unusable(sql):
                yield Finding("segments hold what the rows hold", name, derived=True)
    known = {file for (file,) in sql.execute("SELECT file FROM segment")}
    for path in _files(mind):
        if path.name not in known:
            yield Finding("segment files are in the manifest", path.name, derived=True)


def forget(mind: MindFile, sql: Connection) -> None:
    """Strike segments that cannot be used from the manifest."""
    unusable = {
        name for pair in mind.spaces().values() for space in pair.values() for name in mind.index(space).unusable(sql)
    }
    for name, incarnation in sql.execute("SELECT file, incarnation FROM segment").fetchall():
        if name in unusable or incarnation != mind.incarnation:
            sql.execute("DELETE FROM segment WHERE file = ?", (name,))


def sweep(mind: MindFile) -> None:
    """Delete files of this mind that no manifest row names; they are free to build again."""
    with mind.db.read() as sql:
        known = {file for (file,) in sql.execute("SELECT file FROM segment")}
    for path in _files(mind):
        if path.name not in known:
            path.unlink(missing_ok=True)


def _files(mind: MindFile) -> list[Path]:
    return sorted(mind.path.parent.glob(f"{mind.mind}.*.q8"))
