"""The layout of a file against this version's: what an earlier state of the same schema lacks is made at opening.

A released schema has a number, and a step that leads to it. Between two releases tables come and go under one number; a
mind that was made in between must not fail in the middle of a verb.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from noosphere.errors import OlderMind
from noosphere.store import meta, schema

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from noosphere.store.connection import Connection, Db
    from noosphere.store.transaction import Tx

MANY = 1000  # a rebuild is a large batch: synced to disk
TABLES = ("CREATE TABLE", "CREATE VIRTUAL")


def mark() -> str:
    """What tells this version's layout from others."""
    return sha256(schema.text().encode()).hexdigest()[:16]


def differences(sql: Connection) -> dict[str, str]:
    """What is missing or was made otherwise, with what makes it."""
    there = schema.present(sql)
    return {name: made for name, made in schema.expected().items() if there.get(name) != made}


def refuse_other_tables(sql: Connection, path: Path, found: dict[str, str]) -> None:
    """Stop where a table has other columns: what stands in them cannot be guessed.

    Raises:
        OlderMind: one has.
    """
    there = schema.present(sql)
    changed = sorted(name for name, made in found.items() if name in there and made.upper().startswith(TABLES))
    if changed:
        raise OlderMind(str(path), tuple(changed))


def complete(db: Db, path: Path, begin: Callable[[Connection], Tx]) -> None:
    """Bring a file to this version's layout.

    Raises:
        OlderMind: a table has other columns, or the file may not be written.
    """
    with db.read() as sql:
        found = differences(sql)
        refuse_other_tables(sql, path, found)
    if db.read_only:
        if found:
            raise OlderMind(str(path), tuple(sorted(found)), writable=False)
        return
    with db.write(rows=MANY) as sql:
        found = differences(sql)  # another process may have been faster
        refuse_other_tables(sql, path, found)
        for name, made in found.items():
            if not made.upper().startswith(TABLES):
                kind = "TRIGGER" if made.upper().startswith("CREATE TRIGGER") else "INDEX"
                sql.execute(f"DROP {kind} IF EXISTS {name}")  # our own name, from schema.sql
        if found:
            from noosphere.store.rebuild import rebuild  # noqa: PLC0415  (seldom needed, and much comes with it)

            tx = begin(sql)
            rebuild(tx, tx.now)
        meta.put(sql, meta.LAYOUT, mark())
