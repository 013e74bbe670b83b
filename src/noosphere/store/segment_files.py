"""The segment files beside a mind: which are trusted, which are strays, and clearing them away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.forking import Lock
from noosphere.store import lease
from noosphere.store.checks import Finding
from noosphere.store.failures import on_disk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.store.vectors import SpaceRow

BUILDING = Lock()  # in one process only one thread builds or clears; between processes there is the lease


def findings(mind: MindFile, sql: Connection) -> Iterator[Finding]:
    """Segments of the manifest that cannot be used, and files of this mind that the manifest does not know."""
    for space in _spaces(mind):
        for name in dict.fromkeys((*_unusable(mind, sql, space), *_spoiled(mind, sql, space))):
            yield Finding("segments hold what the rows hold", name, derived=True)
        if not (BUILDING.locked() or lease.held_elsewhere(sql, lease_name(space), mind.clock.now())):
            for path in _strays(mind, sql, space):
                yield Finding("segment files are in the manifest", path.name, derived=True)


def forget(mind: MindFile, sql: Connection) -> None:
    """Strike segments that cannot be used from the manifest, inside a write transaction."""
    sql.execute("DELETE FROM segment WHERE incarnation <> ?", (mind.incarnation,))
    for space in _spaces(mind):
        forget_unusable(mind, sql, space)
        spoiled = next(iter(_spoiled(mind, sql, space)), None)
        if spoiled is not None:  # those after it begin where it ends, so all are built anew
            sql.execute("DELETE FROM segment WHERE space = ?", (space.id,))


def forget_unusable(mind: MindFile, sql: Connection, space: SpaceRow) -> None:
    """Strike the segments of one space from the first that cannot be used on, so that their rows are covered anew."""
    for name in _unusable(mind, sql, space):
        sql.execute("DELETE FROM segment WHERE file = ?", (name,))


def strike_unusable(mind: MindFile) -> None:
    """Strike what cannot be used, as files of another version or a torn one, so that the rows are covered anew."""
    for space in _spaces(mind):
        with mind.db.read() as sql:
            bad = _unusable(mind, sql, space)
        if not bad:
            continue
        with BUILDING, mind.db.write() as sql:
            if lease.take(sql, lease_name(space), mind.clock.now()):
                forget_unusable(mind, sql, space)
                lease.release(sql, lease_name(space))


def sweep(mind: MindFile) -> None:
    """Delete files of this mind that no manifest row names; they are free to build again.

    Raises:
        StorageError: the disk refused.
    """
    with BUILDING:
        for space in _spaces(mind):
            with mind.db.write() as sql:
                mine = lease.take(sql, lease_name(space), mind.clock.now())
            if mine:
                sweep_space(mind, space)
                with mind.db.write() as sql:
                    lease.release(sql, lease_name(space))


def sweep_space(mind: MindFile, space: SpaceRow) -> None:
    """Delete one space's strays; the caller holds its lease, so no other process is about to list one of them."""
    with mind.db.read() as sql:
        strays = _strays(mind, sql, space)
    for path in strays:
        with on_disk(path):
            path.unlink(missing_ok=True)


def lease_name(space: SpaceRow) -> str:
    """The lease under which a space's files are written and deleted."""
    return f"segment:{space.id}"


def _spaces(mind: MindFile) -> list[SpaceRow]:
    return [space for pair in mind.spaces().values() for space in pair.values()]


def _unusable(mind: MindFile, sql: Connection, space: SpaceRow) -> tuple[str, ...]:
    """Look at the files as they are now, not as an index once opened them."""
    if sql.execute("SELECT 1 FROM segment WHERE space = ? LIMIT 1", (space.id,)).get is None:
        return ()
    from noosphere.store.vector_index import VectorIndex  # noqa: PLC0415  (brings numpy)

    return VectorIndex(space, mind.path.parent, mind.incarnation).unusable(sql)


def _spoiled(mind: MindFile, sql: Connection, space: SpaceRow) -> Iterator[str]:
    """Look at every row of the files, for bytes that changed on the disk."""
    if sql.execute("SELECT 1 FROM segment WHERE space = ? LIMIT 1", (space.id,)).get is None:
        return iter(())
    from noosphere.store.index_recall import spoiled  # noqa: PLC0415  (brings numpy)

    return spoiled(mind, sql, space)


def _strays(mind: MindFile, sql: Connection, space: SpaceRow) -> list[Path]:
    known = {file for (file,) in sql.execute("SELECT file FROM segment")}
    found = mind.path.parent.glob(f"{mind.mind}.*.{space.id}.*-*.q8*")
    return sorted(path for path in found if path.name not in known)
