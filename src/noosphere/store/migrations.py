"""Numbered steps from an empty file to today's schema; each is one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.errors import DamagedMind, NewerMind, NotAMind
from noosphere.store import schema

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from noosphere.store.connection import Connection, Db

APPLICATION_ID = 0x6E6F6F73  # "noos": tells a mind from any other SQLite file


def first_schema(connection: Connection) -> None:
    """Step 1: everything in schema.sql."""
    connection.execute(schema.text())


STEPS: tuple[Callable[[Connection], None], ...] = (first_schema,)
KNOWN = len(STEPS)


def migrate(db: Db, path: Path) -> int:
    """Bring the file to today's schema and return the schema it had.

    Raises:
        NotAMind: a SQLite file of something else, or an empty one that may not be written.
        NewerMind: written by a newer version.
    """
    with db.read() as connection:
        found = check(connection, path)
    if found == 0 and db.read_only:
        raise NotAMind(str(path), "is empty", "Open it without read_only to make a mind of it")
    if found < KNOWN and not db.read_only:
        with db.write() as connection:
            found = check(connection, path)  # another process may have been faster
            for number, step in enumerate(STEPS[found:], start=found + 1):
                step(connection)
                connection.pragma("user_version", number)
            connection.pragma("application_id", APPLICATION_ID)
    return found


def check(connection: Connection, path: Path) -> int:
    """Read the schema number of a mind; 0 for an empty file."""
    mark, version = connection.pragma("application_id"), connection.pragma("user_version")
    if not isinstance(version, int) or mark not in (0, APPLICATION_ID):
        raise NotAMind(str(path), "is a SQLite file of another program", "Give the path of a mind")
    if mark == 0 and (version != 0 or connection.execute("SELECT count(*) FROM sqlite_schema").get != 0):
        raise NotAMind(str(path), "is a SQLite file without a mind in it", "Give the path of a mind")
    if mark == APPLICATION_ID and version < 1:
        raise DamagedMind(str(path), "has lost the number of its schema", "Restore a backup")
    if version > KNOWN:
        raise NewerMind(str(path), version, KNOWN)
    return version
