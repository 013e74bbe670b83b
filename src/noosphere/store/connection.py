"""The connection to a mind's file: one per thread, every write in one `BEGIN IMMEDIATE`.

Rules that were measured, not guessed: the busy timeout comes before any other statement; one PRAGMA per
call; a reader that becomes a writer inside one transaction fails at once whatever the timeout, so writes
are immediate from the start; switching to WAL can be refused without waiting, so opening retries.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast
from urllib.parse import quote

import apsw

from noosphere.errors import (
    BrokenInvariant,
    ClosedMind,
    DamagedMind,
    MindBusy,
    NoosphereError,
    NotAMind,
    ReadOnlyMind,
    StorageError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

BUSY_MILLISECONDS = 30_000  # 8 writing processes saw waits up to 0.35 s; a laptop that sleeps needs more
OPEN_TRIES = 60
OPEN_PAUSE_SECONDS = 0.05
STATEMENT_CACHE = 256  # distinct statements of the verbs, with room
FULL_FROM_ROWS = 100  # batches this large are synced to disk: costs 13 % at 100 rows, nothing at 1000
CACHE_KIB = 65_536

Row = tuple[Any, ...]
Bindings = Sequence[Any] | Mapping[str, Any]


class Cursor(Protocol):
    """The rows of a statement."""

    def __iter__(self) -> Iterator[Row]: ...

    def __next__(self) -> Row: ...

    def fetchall(self) -> list[Row]:
        """All rows that are left."""
        ...

    @property
    def get(self) -> Any:
        """The single value of the single row, or None when there is no row."""
        ...


class Connection(Protocol):
    """What the engine uses of apsw.Connection, typed."""

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        ...

    def execute(self, statements: str, bindings: Bindings | None = None, /) -> Cursor:
        """Run one or more statements."""
        ...

    def executemany(self, statements: str, sequenceofbindings: Iterable[Bindings], /) -> Cursor:
        """Run a statement once for each of the bindings."""
        ...

    def pragma(self, name: str, value: Any = None) -> Any:
        """Read or set one PRAGMA."""
        ...

    def changes(self) -> int:
        """Rows changed by the latest statement."""
        ...

    def last_insert_rowid(self) -> int:
        """The rowid of the latest insert."""
        ...

    def txn_state(self, schema: str | None = None) -> int:
        """Whether a transaction is open, and of which kind."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


class Db:
    """One SQLite file, reached through a connection of the calling thread."""

    def __init__(
        self,
        path: Path,
        *,
        admit: Callable[[Connection, Path], object],
        read_only: bool = False,
        durable: bool = False,
        vfs: str | None = None,
    ) -> None:
        self.path = path
        self._admit = admit  # looks at a file before anything in it is changed, and raises if it is not ours
        self.read_only = read_only
        self._durable = durable
        self._vfs = vfs
        self._local = threading.local()
        self._lock = threading.Lock()
        self._all: list[Connection] = []
        self._closed = False

    def connect(self) -> Connection:
        """Return this thread's connection, opening it when needed.

        Raises:
            ClosedMind: `close` was called.
            StorageError: the file cannot be opened; subclasses say why.
        """
        if self._closed:
            raise ClosedMind(str(self.path))
        found: Connection | None = getattr(self._local, "connection", None)
        if found is None:
            with translated(self.path):
                found = self._open()
            with self._lock:
                self._all.append(found)
            self._local.connection = found
        return found

    @contextmanager
    def read(self) -> Generator[Connection]:
        """One snapshot for several statements; inside a write, the write's own view."""
        connection = self.connect()
        if connection.in_transaction:
            yield connection
            return
        with translated(self.path):
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("COMMIT")

    @contextmanager
    def write(self, *, rows: int = 1) -> Generator[Connection]:
        """One immediate transaction: all of it is kept, or none.

        Args:
            rows: about how many frames will be written; large batches are synced to disk.
        """
        if self.read_only:
            raise ReadOnlyMind(str(self.path), "was opened read-only", "Open it where the file can be written")
        connection = self.connect()
        with translated(self.path):
            self._sync(connection, full=self._durable or rows >= FULL_FROM_ROWS)
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def _sync(self, connection: Connection, *, full: bool) -> None:
        """Choose how this thread's next commits reach the disk; it cannot be changed inside a transaction."""
        if getattr(self._local, "full", None) is not full:
            connection.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
            self._local.full = full

    def close(self) -> None:
        """Close every thread's connection; later calls raise ClosedMind."""
        self._closed = True
        with self._lock:
            for connection in self._all:
                connection.close()
            self._all.clear()
        self._local = threading.local()

    def _open(self) -> Connection:
        for attempt in range(OPEN_TRIES):
            connection: apsw.Connection | None = None
            try:
                connection = self._new()
                self._prepare(connection)
            except (apsw.BusyError, apsw.LockedError):
                if connection is not None:
                    connection.close()
                if attempt == OPEN_TRIES - 1:
                    raise
                time.sleep(OPEN_PAUSE_SECONDS)
            except BaseException:
                if connection is not None:
                    connection.close()
                raise
            else:
                return cast("Connection", connection)
        raise AssertionError  # the loop returns or raises

    def _new(self) -> apsw.Connection:
        flags = apsw.SQLITE_OPEN_READONLY if self.read_only else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        if not self.read_only:
            return apsw.Connection(str(self.path), flags, self._vfs, STATEMENT_CACHE)
        return apsw.Connection(_read_only_uri(self.path), flags | apsw.SQLITE_OPEN_URI, self._vfs, STATEMENT_CACHE)

    def _prepare(self, raw: apsw.Connection) -> None:
        raw.set_busy_timeout(BUSY_MILLISECONDS)
        raw.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
        raw.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
        raw.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection = cast("Connection", raw)
        self._admit(connection, self.path)
        if not self.read_only and connection.pragma("journal_mode") != "wal":
            connection.pragma("journal_mode", "wal")
        connection.pragma("foreign_keys", True)
        connection.pragma("fullfsync", True)  # macOS only: FULL then means it
        connection.pragma("cache_size", -CACHE_KIB)
        connection.pragma("temp_store", "memory")


def _read_only_uri(path: Path) -> str:
    """A URI that also works where the folder cannot be written and no WAL is left to replay."""
    name = quote(str(path.absolute()).replace("\\", "/"))
    wal = Path(f"{path}-wal")
    lonely = not wal.exists() and not Path(f"{path}-shm").exists()
    return f"file:{name}?immutable=1" if lonely else f"file:{name}?mode=ro"


@contextmanager
def translated(path: Path) -> Generator[None]:
    """Turn SQLite's errors into this package's, with the remedy."""
    try:
        yield
    except apsw.Error as problem:
        raise _translate(path, problem) from problem


def _translate(path: Path, problem: apsw.Error) -> NoosphereError:
    for kind, error, what, remedy in REMEDIES:
        if isinstance(problem, kind):
            return error(str(path), what, remedy)
    if isinstance(problem, (apsw.ConstraintError, apsw.SQLError, apsw.MisuseError, apsw.ThreadingViolationError)):
        return BrokenInvariant(f"{path}: {problem}", "Report this; nothing was written")
    return StorageError(str(path), f"could not be read or written ({problem})", "Check the disk; nothing was written")


REMEDIES: tuple[tuple[type[apsw.Error] | tuple[type[apsw.Error], ...], type[StorageError], str, str], ...] = (
    (
        (apsw.BusyError, apsw.LockedError),
        MindBusy,
        "is held by another process",
        "Try again; if it stays so, see which process holds the file",
    ),
    (apsw.NotADBError, NotAMind, "is not a SQLite file", "Give the path of a mind, or of a file to create"),
    (apsw.CorruptError, DamagedMind, "is damaged", "Restore a backup; `noosphere doctor` shows what can be read"),
    (apsw.ReadOnlyError, ReadOnlyMind, "cannot be written", "Check the permissions of the file and its folder"),
    (apsw.FullError, StorageError, "the disk is full", "Free some space and try again; nothing was written"),
    (apsw.CantOpenError, StorageError, "cannot be opened", "Check that its folder exists and may be written"),
)
