"""The schema as it should be and as it is, object by object."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

import apsw

if TYPE_CHECKING:
    from noosphere.store.connection import Connection

LISTED = """SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
  AND name NOT GLOB 'text_now_*' AND name NOT GLOB 'text_past_*'
  UNION ALL SELECT name, sql FROM sqlite_schema WHERE name IN ('text_now_terms', 'text_past_terms')"""
ORDER = {"CREATE TABLE": 0, "CREATE VIRTUAL": 1, "CREATE INDEX": 2, "CREATE UNIQUE": 2, "CREATE TRIGGER": 3}


def text() -> str:
    """The schema as it is written."""
    return Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")


@cache
def expected() -> dict[str, str]:
    """Every table, index and trigger by name, as SQLite keeps its definition."""
    memory = cast("Connection", apsw.Connection(":memory:"))
    memory.execute(text())
    found = present(memory)
    memory.close()
    return found


def present(sql: Connection) -> dict[str, str]:
    """What a file has."""
    return dict(sql.execute(LISTED).fetchall())


def complete(sql: Connection) -> list[str]:
    """Make what is missing; returns the names of what was made."""
    there = present(sql)
    missing = {name: made for name, made in expected().items() if name not in there}
    for made in sorted(missing.values(), key=lambda m: ORDER[" ".join(m.split()[:2]).upper()]):
        sql.execute(made)
    return sorted(missing)
