"""Keeping the newest backups of a mind in a folder: dated names, and the deletion of the oldest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.errors import StorageError
from noosphere.store import meta, migrations
from noosphere.store.connection import Db
from noosphere.store.failures import on_disk

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.store.key import Key

STAMP = "%Y%m%dT%H%M%SZ"
DATED = re.compile(r"-\d{8}T\d{6}Z\.db")


def dated(folder: Path, name: str, now: int) -> Path:
    """The file of a backup taken now, such as personal-20260514T101500Z.db."""
    return folder / f"{name}-{moment(now):{STAMP}}.db"


def thin(latest: Path, name: str, mind: str, keep: int, key: Key | None) -> tuple[str, ...]:
    """Delete all but the newest dated backups of a mind, which lie beside the latest; returns what was deleted.

    A file goes only if its name is one that `dated` gives and it is this mind's and opens with its key; any other
    stays, and is not counted. The latest stays whatever its date: a clock may have been set back.

    Raises:
        StorageError: the disk refused.
    """
    folder = latest.parent
    with on_disk(folder):
        dates = [p for p in folder.iterdir() if _is_dated(p.name, name) and p.name != latest.name]
        older = sorted(p for p in dates if _is_of(p, mind, key))
        gone = older[: max(0, len(older) + 1 - keep)]
        for path in gone:
            path.unlink()
    return tuple(map(str, gone))


def _is_dated(file: str, name: str) -> bool:
    return file.startswith(f"{name}-") and DATED.fullmatch(file.removeprefix(name)) is not None


def _is_of(path: Path, mind: str, key: Key | None) -> bool:
    db = Db(path, admit=migrations.check, read_only=True, key=key)
    try:
        with db.read() as sql:
            facts = meta.read(sql)
    except StorageError:
        return False
    finally:
        db.close()
    return facts is not None and facts.mind == mind
