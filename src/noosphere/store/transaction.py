"""The one write path: a transaction, and the journal entries that say what it changed."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING, Any

from noosphere.errors import BrokenInvariant
from noosphere.ids import uid_text
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from noosphere.ids import Ids
    from noosphere.store.connection import Connection
    from noosphere.store.sessions import Sitting


@dataclass(slots=True)
class Touched:
    """What one journal entry wrote, by uid and version number; this becomes its `detail`."""

    nodes: list[list[Any]] = field(default_factory=list[list[Any]])
    frames: list[str] = field(default_factory=list[str])
    turns: list[list[Any]] = field(default_factory=list[list[Any]])
    sessions: list[list[Any]] = field(default_factory=list[list[Any]])
    tags: list[list[Any]] = field(default_factory=list[list[Any]])
    edges: list[list[Any]] = field(default_factory=list[list[Any]])
    evidence: list[list[Any]] = field(default_factory=list[list[Any]])
    checks: list[list[Any]] = field(default_factory=list[list[Any]])
    seen: list[list[Any]] = field(default_factory=list[list[Any]])
    rules: list[list[Any]] = field(default_factory=list[list[Any]])
    spaces: list[list[Any]] = field(default_factory=list[list[Any]])  # the model chosen before, and the one chosen
    undone: list[str] = field(default_factory=list[str])

    @property
    def written(self) -> bool:
        """Whether anything was."""
        return any(getattr(self, name) for name in self.__slots__)

    def detail(self) -> str:
        """Write it as JSON, leaving out what is empty."""
        return json.dumps({name: rows for name in self.__slots__ if (rows := getattr(self, name))})


class Entry:
    """A journal entry being written: rows refer to `id`, `at` is when this mind came to know.

    Its own row is written as soon as another is to refer to it. To take a row of the journal back, SQLite looks through
    every table that may refer to it: some 30 ms in a mind of 100,000 frames.
    """

    __slots__ = ("_row", "_write", "at", "touched", "uid")

    def __init__(self, uid: bytes, at: int, write: Callable[[Entry], int]) -> None:
        self.uid = uid
        self.at = at
        self.touched = Touched()
        self._write = write
        self._row: int | None = None

    @property
    def id(self) -> int:
        """The number of its row, which is there from now on."""
        if self._row is None:
            self._row = self._write(self)
        return self._row

    @property
    def is_written(self) -> bool:
        """Whether its row is there."""
        return self._row is not None


@dataclass(frozen=True, slots=True)
class Author:
    """Who changes the mind, and through which door."""

    actor: str
    channel: str


class Tx:
    """A write transaction. Times never run backwards: an entry is made at max(clock, last + 1 µs)."""

    __slots__ = ("_last_at", "_open", "author", "clock_now", "clocks", "gathers", "ids", "queue", "sitting", "sql")

    def __init__(self, sql: Connection, ids: Ids, clock_now: int, author: Author) -> None:
        self.sql = sql
        self.ids = ids
        self.clock_now = clock_now
        self.author = author
        self.sitting: Sitting | None = None  # the author's session, once it was looked up (sessions.ongoing)
        self.clocks: dict[int, int] = {}  # the last tick of each session written to (sessions.next_t)
        self.queue: list[Any] = []  # new units to be indexed before the transaction ends (units.flush)
        self.gathers = False  # whether they wait for its end: when no write of it asks the index
        self._open: Entry | None = None
        self._last_at: int = sql.execute("SELECT at FROM journal ORDER BY id DESC LIMIT 1").get or 0

    @property
    def now(self) -> int:
        """The clock's now, but never before the newest change."""
        return max(self.clock_now, self._last_at)

    @contextmanager
    def part(self) -> Generator[None]:
        """One of several writes that share this transaction: what it wrote goes when it raises, the others stay."""
        waiting = list(self.queue)
        self.sql.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            if self.sql.in_transaction:
                self.sql.execute("ROLLBACK TO part")
                self.sql.execute("RELEASE part")
            self.sitting, self._open = None, None
            self.clocks.clear()
            self.queue[:] = waiting
            raise
        self.sql.execute("RELEASE part")

    def open(self, verb: str, undoes: int | None = None) -> Entry:
        """Begin a journal entry, to which the rows that follow refer; `close` or `abandon` ends it.

        One entry is open at a time, so ids, times and the order of the journal agree.
        """
        if self._open is not None:
            raise BrokenInvariant("a journal entry was opened inside another", "Report this; it is a fault of ours")

        def write(entry: Entry) -> int:
            self.sql.execute(
                "INSERT INTO journal (uid, at, verb, actor, channel, undoes) VALUES (?, ?, ?, ?, ?, ?)",
                (entry.uid, entry.at, verb, self.author.actor, self.author.channel, undoes),
            )
            return self.sql.last_insert_rowid()

        self._last_at = max(self.clock_now, self._last_at + 1)
        self._open = Entry(self.ids.new(), self._last_at, write)
        return self._open

    def close(self, entry: Entry, target: bytes | None = None) -> str:
        """Complete the entry and return its id as text."""
        self._open = None
        self.sql.execute(
            "UPDATE journal SET at = ?, target = ?, detail = ? WHERE id = ?",
            (entry.at, target, entry.touched.detail(), entry.id),
        )
        return uid_text(entry.uid)

    def tick(self, entry: Entry, after: int) -> int:
        """The entry's time, moved past `after` when one entry changes the same thing twice."""
        if entry.at <= after:
            entry.at = self._last_at = max(self._last_at, after + 1)
        return entry.at

    def abandon(self, entry: Entry) -> None:
        """Take back an entry under which nothing was written."""
        self._open = None
        if entry.is_written:
            self.sql.execute("DELETE FROM journal WHERE id = ?", (entry.id,))
