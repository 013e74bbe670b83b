"""Reading the key-value tables of another program's database, which is opened for reading only.

SQLite itself may put its shared memory beside a database in WAL mode; the database is not changed.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

import apsw

from noosphere.store.opened import is_taken

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from noosphere.store.connection import Connection

SQLITE_MAGIC = b"SQLite format 3\0"
BUSY_MILLISECONDS = 2_000


class Unreadable(Exception):
    """The database cannot be read; the message says why."""


def key_values(
    path: Path, table: str, prefix: str, columns: tuple[str, str] = ("key", "value")
) -> Iterator[tuple[str, bytes]]:
    """Yield the rows of a table of keys and values whose key begins with a prefix, in the order of their keys.

    Yields nothing when there is no such table.

    Raises:
        Unreadable: it is a mind's own file, damaged, locked, or no database.
    """
    if is_taken(path):
        raise Unreadable("is a mind's own file")
    name, key_name, value_name = (one.replace('"', '""') for one in (table, *columns))
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        with closing(apsw.Connection(f"file:{quote(str(path))}?mode=ro", flags)) as raw:
            raw.set_busy_timeout(BUSY_MILLISECONDS)
            raw.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
            raw.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
            sql = cast("Connection", raw)
            known = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"
            if sql.execute(known, (table,)).fetchall() == []:
                return
            rows = sql.execute(
                f"""SELECT "{key_name}", CAST("{value_name}" AS BLOB) FROM "{name}"
                    WHERE "{key_name}" >= ? AND "{key_name}" < ? ORDER BY "{key_name}\"""",
                (prefix, prefix + "\U0010ffff"),
            )
            for key, value in rows:
                if isinstance(key, str) and isinstance(value, bytes):
                    yield key, value
    except apsw.Error as problem:
        raise Unreadable(f"cannot be read as a database ({type(problem).__name__})") from None
