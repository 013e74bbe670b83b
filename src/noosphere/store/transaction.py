"""The one write path: a transaction, and the journal entries that say what it changed."""

from __future__ import annotations

import json
from contextlib import contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from noosphere.errors import BrokenInvariant
from noosphere.ids import uid_text
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Generator

    from noosphere.ids import Ids
    from noosphere.store.connection import Connection
    from noosphere.store.sessions import Sitting


class Table(IntEnum):
    """The tables whose new rows may wait, each after those that its rows refer to."""

    NODE = 1
    FRAME = 2
    VERSION = 3
    TAG = 4
    EVIDENCE = 5
    UNNAMED = 6


class Touched(dict[str, list[Any]]):
    """What one journal entry wrote, by uid and version number; this becomes its `detail`."""

    nodes: list[list[Any]]
    frames: list[str]
    turns: list[list[Any]]
    sessions: list[list[Any]]
    tags: list[list[Any]]
    edges: list[list[Any]]
    evidence: list[list[Any]]
    checks: list[list[Any]]
    seen: list[list[Any]]
    rules: list[list[Any]]
    spaces: list[list[Any]]  # the model chosen before, and the one chosen
    undone: list[str]

    def __getattr__(self, name: str) -> list[Any]:
        """A list, made when it is first asked for; there is none of another name."""
        if name not in Touched.__annotations__:
            raise AttributeError(name)
        return self.setdefault(name, [])

    @property
    def written(self) -> bool:
        """Whether anything was."""
        return any(self.values())

    def detail(self) -> str:
        """Write it as JSON, leaving out what is empty."""
        return json.dumps({name: rows for name, rows in self.items() if rows})


class Entry:
    """A journal entry being written: rows refer to it by its number, `at` is when this mind came to know.

    Its own row is written as soon as another is to refer to it. To take a row of the journal back, SQLite looks through
    every table that may refer to it: some 30 ms in a mind of 100,000 frames. While rows wait that refer to it, it waits
    with them: an entry that is closed by then is written once, and whole.
    """

    __slots__ = ("_tx", "at", "is_written", "number", "row", "touched", "uid")

    def __init__(self, tx: Tx, uid: bytes, at: int, row: tuple[Any, ...]) -> None:
        self._tx = tx
        self.uid = uid
        self.at = at
        self.touched = Touched()
        self.row = row  # verb, actor, channel, the entry it undoes; and when it is closed its target and detail
        self.number: int | None = None  # of its row, once another is to refer to it
        self.is_written = False

    @property
    def id(self) -> int:
        """The number of its row, which is there from now on."""
        number = self.waiting
        if not self.is_written:
            self._tx.settle()
        return number

    @property
    def waiting(self) -> int:
        """The number of its row, for rows that wait."""
        if self.number is None:
            self.number = self._tx.enter(self)
        return self.number


@dataclass(frozen=True, slots=True)
class Author:
    """Who changes the mind, and through which door."""

    actor: str
    channel: str


class Waiting:
    """What the versions say that wait to be written: by it a look-up knows whether the file alone can answer."""

    __slots__ = ("folds", "spelled", "values")

    def __init__(self) -> None:
        self.folds: set[bytes | None] = set()
        self.values: set[tuple[str | None, str | None, str | None]] = set()  # subject, attribute and value
        self.spelled: set[tuple[str | None, str | None]] = set()  # slots of what may have a spell (slots.recompute)

    def clear(self) -> None:
        """Nothing waits."""
        self.folds.clear()
        self.values.clear()
        self.spelled.clear()


class Known(NamedTuple):
    """What a transaction knows of the rows that are there."""

    at: int  # when the newest journal entry was made
    numbers: tuple[int, ...]  # the last of the journal, of the nodes and of the frames; none when nobody asked
    said_last: int | None  # when the last thing here was said, once it was looked up


NEWEST = "SELECT at FROM journal ORDER BY id DESC LIMIT 1"
JOURNAL = """INSERT INTO journal (id, uid, at, verb, actor, channel, undoes, target, detail)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
NUMBERS = """SELECT max(coalesce(max(id), 0), coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'journal'), 0)),
    (SELECT max(coalesce(max(id), 0), coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'node'), 0)) FROM node),
    (SELECT max(coalesce(max(id), 0), coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'frame'), 0)) FROM frame)
  FROM journal"""


class Tx:
    """A write transaction. Times never run backwards: an entry is made at max(clock, last + 1 µs).

    New rows of the log may wait (`put`) and are then written together, a table at a time: whoever asks the database
    through `sql` finds them there.
    """

    __slots__ = (
        "_entries", "_last_at", "_numbers", "_open", "_rows", "author", "clock_now", "clocks", "defers", "gathers",
        "ids", "lowered", "queue", "said_last", "settled", "sitting", "waiting",
    )  # fmt: skip

    def __init__(
        self,
        sql: Connection,
        ids: Ids,
        clock_now: int,
        author: Author,
        *,
        defers: bool = False,
        known: Known | None = None,
    ) -> None:
        self.settled = sql  # the connection, for what asks nothing that rows which wait could answer
        self.ids = ids
        self.clock_now = clock_now
        self.author = author
        self.defers = defers  # whether rows may wait: who makes it settles it
        self.sitting: Sitting | None = None  # the author's session, once it was looked up (sessions.ongoing)
        self.clocks: dict[int, int] = {}  # the last tick of each session written to (sessions.next_t)
        self.queue: list[Any] = []  # new units to be indexed before the transaction ends (units.flush)
        self.lowered: list[str] = []  # the texts of the first of them in small letters (units.holding)
        self.gathers = False  # whether they wait for its end: when no write of it asks the index
        self.said_last = None if known is None else known.said_last
        self.waiting = Waiting()
        self._entries: list[Entry] = []
        self._rows: list[tuple[str, list[tuple[Any, ...]]]] = []  # by table, once any waits
        self._numbers = [] if known is None else list(known.numbers)
        self._open: Entry | None = None
        self._last_at: int = known.at if known else sql.execute(NEWEST).get or 0

    @property
    def sql(self) -> Connection:
        """The connection; nothing waits."""
        if self._entries or self._rows:
            self.settle()
        return self.settled

    @property
    def known(self) -> Known:
        """What it knows of the rows that are there, for the next one."""
        return Known(self._last_at, tuple(self._numbers), self.said_last)

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
            self.settle()
        except BaseException:
            self._drop()
            if self.settled.in_transaction:
                self.settled.execute("ROLLBACK TO part")
                self.settled.execute("RELEASE part")
            self.sitting, self._open = None, None
            self.clocks.clear()
            self.queue[:] = waiting
            self.lowered.clear()
            raise
        self.sql.execute("RELEASE part")

    def put(self, table: Table, statement: str, row: tuple[Any, ...]) -> None:
        """Write a new row, at once or with others; every row of a table is put with one statement."""
        if not self._rows:
            self._rows = [("", []) for _ in range(len(Table) + 1)]
        put, rows = self._rows[table]
        if not put:
            self._rows[table] = statement, rows
        rows.append(row)
        if not self.defers:
            self.settle()

    def settle(self) -> None:
        """Write what waits."""
        if self._entries:
            entries, self._entries = self._entries, []
            self.settled.executemany(JOURNAL, [_journal_row(entry) for entry in entries])
            for entry in entries:
                entry.is_written = True
        if self._rows:
            waiting, self._rows = self._rows, []
            self.waiting.clear()
            for statement, rows in waiting:
                if rows:
                    self.settled.executemany(statement, rows)

    def open(self, verb: str, undoes: int | None = None) -> Entry:
        """Begin a journal entry, to which the rows that follow refer; `close` or `abandon` ends it.

        One entry is open at a time, so ids, times and the order of the journal agree.
        """
        if self._open is not None:
            raise BrokenInvariant("a journal entry was opened inside another", "Report this; it is a fault of ours")
        self._last_at = max(self.clock_now, self._last_at + 1)
        row = verb, self.author.actor, self.author.channel, undoes
        self._open = Entry(self, self.ids.new(), self._last_at, row)
        return self._open

    def enter(self, entry: Entry) -> int:
        """The number of an entry to which a row is to refer; its own row waits."""
        self._entries.append(entry)
        return self.take(0)

    def close(self, entry: Entry, target: bytes | None = None) -> str:
        """Complete the entry and return its id as text."""
        self._open = None
        detail = entry.touched.detail()
        if entry.is_written:
            self.sql.execute(
                "UPDATE journal SET at = ?, target = ?, detail = ? WHERE id = ?", (entry.at, target, detail, entry.id)
            )
            return uid_text(entry.uid)
        entry.row = *entry.row, target, detail
        if entry.number is None:
            entry.number = self.enter(entry)
        if not self.defers:
            self.settle()
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
        elif entry.number is not None:
            self._entries.remove(entry)

    def take(self, table: Literal[0, Table.NODE, Table.FRAME]) -> int:
        """The number of a new row of the nodes, the frames or (0) the journal: nobody else writes before the commit."""
        if not self._numbers:
            self._numbers = list(self.settled.execute(NUMBERS).fetchall()[0])
        self._numbers[table] += 1
        return self._numbers[table]

    def _drop(self) -> None:
        """Forget what waits, and what was known of rows that are taken back."""
        self._entries, self._rows, self._numbers, self.said_last = [], [], [], None
        self.waiting.clear()


def _journal_row(entry: Entry) -> tuple[Any, ...]:
    verb, actor, channel, undoes, *closed = entry.row
    return entry.number, entry.uid, entry.at, verb, actor, channel, undoes, *(closed or (None, None))
