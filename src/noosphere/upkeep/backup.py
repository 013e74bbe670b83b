"""Backups of a mind: one file, or a folder of dated ones of which the newest stay."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput
from noosphere.model.argument import read_count
from noosphere.store import retention
from noosphere.store.backup import backup as write_copy
from noosphere.store.failures import on_disk

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.store.backup import Copy
    from noosphere.store.mind_file import MindFile

MOST = 10_000


def backup(mind: MindFile, target: Path, name: str, keep: int | None) -> Copy:
    """Write a checked copy; with `keep`, in a folder under a dated name, of which the newest stay.

    Raises:
        InvalidInput: `keep` is no count, or the target is no folder.
        StorageError: the copy exists already, cannot be written or does not check out; no older one was deleted.
    """
    if keep is None:
        return write_copy(mind.db, target)
    kept = read_count(keep, "keep", 1, MOST)
    with on_disk(target):
        if not target.is_dir():
            raise InvalidInput("keep", f"{str(target)!r} is not a folder", "Give the folder that holds the backups")
    latest = retention.dated(target, name, mind.clock.now())
    copy = write_copy(mind.db, latest)
    return replace(copy, removed=retention.thin(latest, name, copy.mind, kept, mind.db.key))
