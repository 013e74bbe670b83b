"""The registry of a home: which mind has which name. Folders are named by UUID, so a rename moves nothing."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput, NotAMind, NotFound
from noosphere.store.connection import Db, on_disk

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.store.connection import Connection, Row

PERSONAL = "personal"
FILE = "registry.db"
SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
APPLICATION_ID = 0x6E6F6F72  # "noor": tells the registry from a mind
SCHEMA = """
CREATE TABLE IF NOT EXISTS mind (
  uuid       TEXT PRIMARY KEY,
  slug       TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  retired_at INTEGER
) STRICT, WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Registered:
    """A mind of this home."""

    uuid: str
    slug: str
    created_at: int
    retired_at: int | None


class Registry:
    """The home's list of minds."""

    def __init__(self, home: Path) -> None:
        """Open it, making the home when it is new.

        Raises:
            StorageError: the home cannot be made or read, or holds another program's file.
        """
        self.home = home
        with on_disk(home):
            home.mkdir(parents=True, exist_ok=True)
        file = home / FILE
        self._db = Db(file, admit=_admit, read_only=file.exists() and not _may_write(home))
        try:
            self._begin()
        except BaseException:
            self._db.close()
            raise

    def _begin(self) -> None:
        with self._db.read() as sql:
            if sql.pragma("application_id") == APPLICATION_ID:
                return
        with self._db.write() as sql:
            sql.execute(SCHEMA)
            sql.pragma("application_id", APPLICATION_ID)

    def path(self, uuid: str) -> Path:
        """Where a mind's file lies."""
        return self.home / "minds" / uuid / "mind.db"

    def find(self, slug: str) -> Registered | None:
        """The mind of this name."""
        with self._db.read() as sql:
            rows = sql.execute("SELECT uuid, slug, created_at, retired_at FROM mind WHERE slug = ?", (slug,)).fetchall()
        return Registered(*rows[0]) if rows else None

    def named(self, slug: str) -> Registered:
        """The mind of this name.

        Raises:
            NotFound: there is none; near names are given.
        """
        found = self.find(slug)
        if found is None:
            names = [r.slug for r in self.listed()]
            near = get_close_matches(slug, names, n=2)
            hint = f"Did you mean {' or '.join(near)}? " if near else ""
            raise NotFound("mind", slug, f"{hint}There are: {', '.join(names) or 'none yet'}")
        return found

    def listed(self) -> list[Registered]:
        """Every mind of this home, by name."""
        with self._db.read() as sql:
            return [Registered(*r) for r in sql.execute(f"SELECT {_COLUMNS} ORDER BY slug")]

    def add(self, uuid: str, slug: str, now: int) -> Registered:
        """Register a mind, or return what another process registered under the name meanwhile.

        Raises:
            InvalidInput: the name is not a slug.
        """
        check_slug(slug)
        with self._db.write() as sql:
            sql.execute(
                "INSERT INTO mind (uuid, slug, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (uuid, slug, now)
            )
            rows: list[Row] = sql.execute(f"SELECT {_COLUMNS} WHERE slug = ?", (slug,)).fetchall()
        return Registered(*rows[0])

    def close(self) -> None:
        """Close the registry."""
        self._db.close()


_COLUMNS = "uuid, slug, created_at, retired_at FROM mind"


def check_slug(slug: str) -> str:
    """Read a name of a mind; it never becomes a path.

    Raises:
        InvalidInput: it has other characters than a-z, 0-9 and inner hyphens.
    """
    if not SLUG.fullmatch(slug):
        raise InvalidInput("mind", f"{slug!r:.80} is not a name", "Use a-z, 0-9 and hyphens, 1 to 64 characters")
    return slug


def _admit(connection: Connection, path: Path) -> None:
    mark = connection.pragma("application_id")
    if mark == 0 and connection.execute("SELECT count(*) FROM sqlite_schema").get == 0:
        return
    if mark != APPLICATION_ID:
        raise NotAMind(str(path), "is not a registry of minds", "Give another home, or move this file away")


def _may_write(folder: Path) -> bool:
    """Whether this process may write in a folder, by the rights it acts with."""
    return os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
