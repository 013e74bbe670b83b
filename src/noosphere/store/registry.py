"""The registry of a home: which mind has which name. Folders are named by UUID, so a rename moves nothing.

It is truth, and nothing else holds the names; so it is written twice (registry_copy), and a home that has minds and no
registry is never taken for a new one.
"""

from __future__ import annotations

import re
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from noosphere.errors import DamagedMind, InvalidInput, NotAMind, NotFound, StorageError
from noosphere.ids import looks_like_uid
from noosphere.records import dataclass
from noosphere.store import registry_copy
from noosphere.store.connection import Db
from noosphere.store.failures import on_disk
from noosphere.store.file_state import may_write

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from noosphere.store.connection import Connection, Row

PERSONAL = "personal"
FILE = "registry.db"
SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
APPLICATION_ID = 0x6E6F6F72  # "noor": tells the registry from a mind
SCHEMA = """
CREATE TABLE IF NOT EXISTS mind (
  uuid        TEXT PRIMARY KEY,
  slug        TEXT NOT NULL UNIQUE,
  created_at  INTEGER NOT NULL,
  archived_at INTEGER,
  retired_at  INTEGER
) STRICT, WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Registered:
    """A mind of this home."""

    uuid: str
    slug: str
    created_at: int
    archived_at: int | None
    retired_at: int | None


class Registry:
    """The home's list of minds."""

    def __init__(self, home: Path) -> None:
        """Open it, making the home when it is new.

        Raises:
            StorageError: the home cannot be made or read, holds another program's file, or has minds and no registry.
        """
        self.home = home
        with on_disk(home):
            home.mkdir(parents=True, exist_ok=True)
        file = home / FILE
        self._db = Db(file, admit=_admit, read_only=file.exists() and not may_write(home))
        try:
            self._begin()
        except BaseException:
            self._db.close()
            raise

    def _begin(self) -> None:
        with self._read() as sql:
            begun = sql.pragma("application_id") == APPLICATION_ID
        if not begun:
            with self._db.write() as sql:
                if sql.pragma("application_id") != APPLICATION_ID:  # another process may have been faster
                    self._make(sql)
        elif not (self._db.read_only or self._has_copy()):
            with suppress(StorageError), self._db.write() as sql:  # a full disk must keep nobody from reading
                registry_copy.replace(self.home, sql.execute(f"SELECT {_COLUMNS}").fetchall())

    def _has_copy(self) -> bool:
        return registry_copy.is_there(self.home)

    def _make(self, sql: Connection) -> None:
        """Begin a registry: an empty one, or what the copy says of the one that is gone."""
        known = [row for row in registry_copy.read(self.home) if SLUG.fullmatch(row[1])]
        if not known and next(self.home.glob("minds/*/mind.db"), None) is not None:
            what = "is new, and yet there are minds: the one that named them is gone"
            remedy = "Put it back; or move the folder minds away and take each in: noosphere workspace import FILE NAME"
            raise StorageError(str(self.home / FILE), what, remedy)
        sql.execute(SCHEMA)
        sql.executemany("INSERT INTO mind VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", known)
        sql.pragma("application_id", APPLICATION_ID)
        registry_copy.replace(self.home, known)

    @contextmanager
    def _read(self) -> Generator[Connection]:
        """Read what is in the home now, not what was in one that is gone.

        Raises:
            StorageError: the home was moved, deleted or replaced, or the registry is damaged.
        """
        try:
            with self._db.read() as sql:
                self._db.refuse_if_replaced()
                yield sql
        except (DamagedMind, NotAMind) as problem:
            if not self._has_copy():
                raise
            remedy = f"Move it away: it is made again of {registry_copy.FILE}, which lies beside it"
            raise type(problem)(problem.path, problem.problem, remedy) from problem

    @contextmanager
    def _change(self, uuid: str, *, gone: bool = False) -> Generator[Connection]:
        """Change what is known of one mind, here and in the copy; `gone` when a name is to be forgotten."""
        with self._db.write() as sql:
            yield sql
            rows = sql.execute(f"SELECT {_COLUMNS} WHERE :all OR uuid = :uuid", {"all": gone, "uuid": uuid}).fetchall()
            if gone:
                registry_copy.replace(self.home, rows)
            elif rows:
                registry_copy.add(self.home, rows[0])

    def path(self, uuid: str) -> Path:
        """Where a mind's file lies."""
        return self.home / "minds" / uuid / "mind.db"

    def find(self, slug: str) -> Registered | None:
        """The mind of this name, or of this UUID, by which answers of Python and REST tell whose a hit is."""
        told = f"SELECT {_COLUMNS} WHERE slug = :name OR uuid = :name ORDER BY slug <> :name"
        with self._read() as sql:
            rows = sql.execute(told, {"name": slug}).fetchall()
        return Registered(*rows[0]) if rows else None

    def named(self, slug: str) -> Registered:
        """The mind of this name.

        Raises:
            NotFound: there is none; near names are given.
        """
        found = self.find(slug)
        if found is None:
            from difflib import get_close_matches  # noqa: PLC0415  (only for who mistyped: 5 ms of every start)

            names = [r.slug for r in self.listed()]
            near = get_close_matches(slug, names, n=2)
            hint = f"Did you mean {' or '.join(near)}? " if near else ""
            raise NotFound("mind", slug, f"{hint}There are: {', '.join(names) or 'none yet'}")
        return found

    def listed(self) -> list[Registered]:
        """Every mind of this home, by name."""
        with self._read() as sql:
            return [Registered(*r) for r in sql.execute(f"SELECT {_COLUMNS} ORDER BY slug")]

    def add(self, uuid: str, slug: str, now: int) -> Registered:
        """Register a mind, or return what another process registered under its name or as this mind meanwhile.

        Raises:
            InvalidInput: the name is not a slug.
        """
        check_new(slug, "id")
        with self._change(uuid) as sql:
            sql.execute(
                "INSERT INTO mind (uuid, slug, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (uuid, slug, now)
            )
            rows: list[Row] = sql.execute(
                f"SELECT {_COLUMNS} WHERE slug = :slug OR uuid = :uuid ORDER BY slug <> :slug",
                {"slug": slug, "uuid": uuid},
            ).fetchall()
        return Registered(*rows[0])

    def rename(self, slug: str, to: str) -> Registered:
        """Give a mind another name; its folder is named by its UUID and stays.

        Raises:
            InvalidInput: the new name is not a slug, or another mind has it.
            NotFound: there is no such mind.
        """
        check_new(to, "to")
        entry = self.named(slug)
        with self._change(entry.uuid, gone=True) as sql:
            if sql.execute("SELECT 1 FROM mind WHERE slug = ? AND uuid <> ?", (to, entry.uuid)).get is not None:
                raise InvalidInput("to", f"{to!r} is the name of another", "Choose another name")
            sql.execute("UPDATE mind SET slug = ? WHERE uuid = ?", (to, entry.uuid))
        return self.named(to)

    def mark(self, uuid: str, *, archived_at: int | None, retired_at: int | None) -> None:
        """Say since when a mind is archived or deleted; None takes it back."""
        with self._change(uuid) as sql:
            sql.execute(
                "UPDATE mind SET archived_at = ?, retired_at = ? WHERE uuid = ?", (archived_at, retired_at, uuid)
            )

    def remove(self, uuid: str) -> None:
        """Forget a mind whose files are gone."""
        with self._change(uuid, gone=True) as sql:
            sql.execute("DELETE FROM mind WHERE uuid = ?", (uuid,))

    def close(self) -> None:
        """Close the registry."""
        self._db.close()


_COLUMNS = "uuid, slug, created_at, archived_at, retired_at FROM mind"


def check_slug(slug: str, field: str = "mind") -> str:
    """Read a name of a mind; it never becomes a path.

    Raises:
        InvalidInput: it has other characters than a-z, 0-9 and inner hyphens.
    """
    if not SLUG.fullmatch(slug):
        raise InvalidInput(field, f"{slug!r:.80} is not a name", "Use a-z, 0-9 and hyphens, 1 to 64 characters")
    return slug


def check_new(slug: str, field: str) -> str:
    """Read a name that a mind is to have: one that looks like the UUID of a mind would stand before it.

    Raises:
        InvalidInput: it is not a slug, or looks like an id.
    """
    if looks_like_uid(check_slug(slug, field)):
        raise InvalidInput(field, f"{slug!r} looks like the id of a mind", "Choose another name")
    return slug


def _admit(connection: Connection, path: Path) -> None:
    mark = connection.pragma("application_id")
    if mark == 0 and connection.execute("SELECT count(*) FROM sqlite_schema").get == 0:
        return
    if mark != APPLICATION_ID:
        raise NotAMind(str(path), "is not a registry of minds", "Give another home, or move this file away")
