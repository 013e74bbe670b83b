"""Texts sent to hosted models, counted by user and month (UTC), in a small file of the home."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.errors import EmbeddingQuotaExceeded, NotAMind
from noosphere.store.connection import Db
from noosphere.store.failures import on_disk

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.clock import Clock
    from noosphere.store.connection import Connection

FILE = "usage.db"
APPLICATION_ID = 0x6E6F6F75  # "noou": tells it from a mind and from the registry
SCHEMA = """
CREATE TABLE IF NOT EXISTS embedding_usage (
  user  TEXT NOT NULL,
  month TEXT NOT NULL,
  texts INTEGER NOT NULL,
  PRIMARY KEY (user, month)
) STRICT, WITHOUT ROWID;
"""


class Quota:
    """Counts what one user sends, over all processes of a home.

    Args:
        home: the folder of minds.
        user: whose texts they are.
        limit: texts in a month.
        clock: which month it is.
    """

    def __init__(self, home: Path, user: str, limit: int, clock: Clock) -> None:
        self._path = home / FILE
        self._user = user
        self._limit = limit
        self._clock = clock
        self._db: Db | None = None

    def take(self, model: str, texts: int) -> None:
        """Count some texts before they are sent.

        Raises:
            EmbeddingQuotaExceeded: they are more than is left; nothing was counted.
            StorageError: the home cannot be written.
        """
        month = f"{moment(self._clock.now()):%Y-%m}"
        with self._open().write() as sql:
            used = _used(sql, self._user, month)
            if used + texts > self._limit:
                raise EmbeddingQuotaExceeded(model, self._user, month, self._limit)
            sql.execute(
                "INSERT INTO embedding_usage VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET texts = excluded.texts",
                (self._user, month, used + texts),
            )

    def used(self) -> int:
        """How many texts this user has sent this month."""
        month = f"{moment(self._clock.now()):%Y-%m}"
        with self._open().read() as sql:
            return _used(sql, self._user, month)

    def _open(self) -> Db:
        if self._db is None:
            with on_disk(self._path):
                self._path.parent.mkdir(parents=True, exist_ok=True)
            db = Db(self._path, admit=_admit)
            with db.write() as sql:
                sql.execute(SCHEMA)
                sql.pragma("application_id", APPLICATION_ID)
            self._db = db
        return self._db


def _used(sql: Connection, user: str, month: str) -> int:
    found = sql.execute("SELECT texts FROM embedding_usage WHERE user = ? AND month = ?", (user, month)).get
    return 0 if found is None else found


def _admit(sql: Connection, path: Path) -> None:
    if sql.pragma("application_id") != APPLICATION_ID and sql.execute("SELECT 1 FROM sqlite_schema LIMIT 1").get:
        raise NotAMind(str(path), "is not the usage file of a home", "Move it away; nothing in it was changed")
