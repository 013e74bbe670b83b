"""The connection to a mind's file: one per thread, every write in one `BEGIN IMMEDIATE`.

Rules that were measured, not guessed: the busy timeout comes before any other statement; one PRAGMA per
call; a reader that becomes a writer inside one transaction fails at once whatever the timeout, so writes
are immediate from the start; switching to WAL can be refused without waiting, so opening retries.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
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
OPEN_PAUSE_SECONDS = 0.05  # a refusal that did not wait (switching to WAL) is tried again for as long as the timeout
STATEMENT_CACHE = 256  # distinct statements of the verbs, with room
FULL_FROM_ROWS = 100  # batches this large are synced to disk: costs 13 % at 100 rows, nothing at 1000
CACHE_KIB = 65_536
REMEDY_OF_DAMAGE = "Restore a backup; `noosphere doctor` shows what can be read"

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


@dataclass(slots=True)
class _Held:
    """A thread's connection; `lock` is held while it is in use, so that `close` waits for what is under way."""

    connection: Connection
    file: tuple[int, int] | None  # which file it is, to notice when another lies in its place
    frozen: tuple[int, ...] | None  # how the file was, when SQLite was told that nobody changes it
    thread: threading.Thread = field(default_factory=threading.current_thread)
    lock: threading.RLock = field(default_factory=threading.RLock)
    full: bool | None = None


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
        with on_disk(path):  # SQLite keeps the WAL beside the file a link leads to, so that file is meant from here on
            self.path = Path(os.path.realpath(path)) if path.is_symlink() else path
        self._admit = admit  # looks at a file before anything in it is changed, and raises if it is not ours
        self.read_only = read_only
        self._durable = durable
        self._vfs = vfs
        self._local = threading.local()
        self._lock = threading.Lock()
        self._all: list[_Held] = []
        self._closed = False

    @contextmanager
    def use(self) -> Generator[Connection]:
        """This thread's connection, opened when needed; `close` waits until it is given back.

        Raises:
            ClosedMind: `close` was called.
            StorageError: the file cannot be opened; subclasses say why.
        """
        with translated(self.path):
            held = self._hold()
            with held.lock:
                if self._closed and not held.connection.in_transaction:
                    raise ClosedMind(str(self.path))
                yield held.connection

    @contextmanager
    def read(self) -> Generator[Connection]:
        """One snapshot for several statements; inside a write, the write's own view."""
        with self.use() as connection:
            if connection.in_transaction:
                yield connection
                return
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                if connection.in_transaction:  # SQLite itself ends one that the disk failed
                    connection.execute("COMMIT")

    @contextmanager
    def write(self, *, rows: int = 1) -> Generator[Connection]:
        """One immediate transaction: all of it is kept, or none.

        Args:
            rows: about how many frames will be written; large batches are synced to disk.

        Raises:
            ReadOnlyMind: it was opened read-only.
            StorageError: the file was moved, deleted or replaced, or the disk refused.
        """
        if self.read_only:
            raise ReadOnlyMind(str(self.path), "was opened read-only", "Open it where the file can be written")
        with self.use() as connection:
            self._refuse_if_gone()
            self._sync(connection, full=self._durable or rows >= FULL_FROM_ROWS)
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close every thread's connection, each after the transaction it is in; later calls raise ClosedMind."""
        with self._lock:
            self._closed = True
            opened, self._all = self._all, []
        for held in opened:
            _shut(held)

    def _hold(self) -> _Held:
        held: _Held | None = getattr(self._local, "held", None)
        if held is not None and (held.frozen in (None, _state(self.path)) or held.connection.in_transaction):
            return held
        if self._closed:
            raise ClosedMind(str(self.path))
        self._local.held = fresh = self._open()
        with self._lock:
            ended = [h for h in self._all if h is held or not h.thread.is_alive()]
            self._all = [h for h in self._all if h not in ended] + [fresh]
            late = self._closed
        for other in [*ended, fresh] if late else ended:
            _shut(other)
        return fresh

    def _refuse_if_gone(self) -> None:
        """Stop a write to a file that no longer has a name: it would be lost with the last connection."""
        held: _Held = self._local.held
        if held.file != _identity(self.path):
            raise StorageError(
                str(self.path),
                "was moved, deleted or replaced while it was open",
                "Close it and open it where it lies now; nothing was written",
            )

    def _sync(self, connection: Connection, *, full: bool) -> None:
        """Choose how this thread's next commits reach the disk; it cannot be changed inside a transaction."""
        held: _Held = self._local.held
        if held.full is not full:
            connection.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
            held.full = full

    def _open(self) -> _Held:
        until = time.monotonic() + BUSY_MILLISECONDS / 1000
        while True:
            try:
                return self._try()
            except (apsw.BusyError, apsw.LockedError):
                if time.monotonic() >= until:
                    raise
                time.sleep(OPEN_PAUSE_SECONDS)

    def _try(self) -> _Held:
        if not self.read_only:
            return self._connect(str(self.path), apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        name = quote(self.path.absolute().as_posix())
        try:
            return self._connect(f"file:{name}?mode=ro", flags)
        except (apsw.ReadOnlyError, apsw.CantOpenError):  # a WAL needs its shared memory, a file of its own
            if _wal_size(self.path):
                raise
            return self._connect(f"file:{name}?immutable=1", flags, frozen=_state(self.path))

    def _connect(self, name: str, flags: int, *, frozen: tuple[int, ...] | None = None) -> _Held:
        raw = apsw.Connection(name, flags, self._vfs, STATEMENT_CACHE)
        try:
            self._prepare(raw)
        except BaseException:
            raw.close()
            raise
        return _Held(cast("Connection", raw), _identity(self.path), frozen)

    def _prepare(self, raw: apsw.Connection) -> None:
        raw.set_busy_timeout(BUSY_MILLISECONDS)
        raw.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
        raw.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
        raw.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        left = _wal_size(self.path) > 0  # what another program left there is not ours to move into its file
        raw.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(left))
        connection = cast("Connection", raw)
        self._admit(connection, self.path)
        raw.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        if not self.read_only and connection.pragma("journal_mode") != "wal":
            connection.pragma("journal_mode", "wal")
        connection.pragma("foreign_keys", True)
        connection.pragma("fullfsync", True)  # macOS only: FULL then means it
        connection.pragma("cache_size", -CACHE_KIB)
        connection.pragma("temp_store", "memory")


def _shut(held: _Held) -> None:
    with held.lock, suppress(apsw.Error):  # merging the WAL may fail; it stays, and nothing is lost
        held.connection.close()


def _identity(path: Path) -> tuple[int, int] | None:
    found = _stat(path)
    return None if found is None else (found.st_dev, found.st_ino)


def _state(path: Path) -> tuple[int, ...]:
    """What changes when anybody writes to a file or its WAL."""
    found = _stat(path)
    if found is None:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, _wal_size(path)


def _wal_size(path: Path) -> int:
    found = _stat(Path(f"{path}-wal"))
    return 0 if found is None else found.st_size


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


def only(rows: Sequence[Row], what: str, key: int) -> Row:
    """The row of something that the mind refers to.

    Raises:
        BrokenInvariant: it is not there.
    """
    if not rows:
        raise BrokenInvariant(f"{what} {key} is referred to and not here")
    return rows[0]


@contextmanager
def translated(path: Path) -> Generator[None]:
    """Turn SQLite's errors into this package's, with the remedy."""
    try:
        yield
    except apsw.Error as problem:
        raise _translate(path, problem) from problem
    except UnicodeDecodeError as problem:  # SQLite hands out what is in the file; text is checked by who reads it
        raise DamagedMind(str(path), "holds text that is none", REMEDY_OF_DAMAGE) from problem


@contextmanager
def on_disk(path: Path) -> Generator[None]:
    """Turn the system's refusals about a file or folder into this package's, with the remedy."""
    try:
        yield
    except OSError as problem:
        said = problem.strerror or str(problem)
        remedy = "Check the disk, and the permissions of the folder"
        raise StorageError(str(path), f"could not be read or written ({said})", remedy) from problem


def _translate(path: Path, problem: apsw.Error) -> NoosphereError:
    if isinstance(problem, apsw.ConnectionClosedError):
        return ClosedMind(str(path))
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
    (apsw.CorruptError, DamagedMind, "is damaged", REMEDY_OF_DAMAGE),
    (apsw.ReadOnlyError, ReadOnlyMind, "cannot be written", "Check the permissions of the file and its folder"),
    (apsw.FullError, StorageError, "the disk is full", "Free some space and try again; nothing was written"),
    (apsw.CantOpenError, StorageError, "cannot be opened", "Check that its folder exists and may be written"),
)
