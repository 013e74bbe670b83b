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
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast
from urllib.parse import quote

import apsw

from noosphere.errors import ClosedMind, ReadOnlyMind, StorageError
from noosphere.forking import INSIDE, is_inside
from noosphere.records import dataclass
from noosphere.store import file_state, opened, patience
from noosphere.store.failures import on_disk, translated
from noosphere.store.key import refusal
from noosphere.store.line import Line

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from noosphere.store.key import Key

OPEN_PAUSE_SECONDS = 0.05  # a refusal that did not wait (switching to WAL) is tried again for as long as the timeout
STATEMENT_CACHE = 256  # distinct statements of the verbs, with room
FULL_FROM_ROWS = 100  # batches this large are synced to disk: costs 13 % at 100 rows, nothing at 1000
CACHE_KIB = 65_536
BULK_CACHE_KIB = 32_768
CHECKPOINT_PAGES = 1000  # SQLite's own: a WAL this long is moved into the file by the commit that reaches it
BULK_PAGES = 16_384  # 64 MB: pages that large transactions write again and again are moved once

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
    files: tuple[object, ...]  # which file it is, and which WAL, to notice when others lie in their place
    frozen: tuple[int, ...] | None  # how the file was, when SQLite was told that nobody changes it
    thread: threading.Thread = field(default_factory=threading.current_thread)
    lock: threading.RLock = field(default_factory=threading.RLock)
    parted: bool = False  # closed before a fork
    full: bool | None = None
    version: int | None = None  # changes when any other connection writes; as of the last write transaction of this one


INHERITED: list[_Held] = []  # never looked at: what is here is not collected, so not closed


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
        key: Key | None = None,
    ) -> None:
        with on_disk(path):  # SQLite keeps the WAL beside the file a link leads to, so that file is meant from here on
            self.path = Path(os.path.realpath(path)) if path.is_symlink() else path
        self._line = Line(self.path)
        self._admit = admit  # looks at a file before anything in it is changed, and raises if it is not ours
        self.read_only = read_only
        self._durable = durable
        self._vfs = vfs
        self.key = key
        self._local = threading.local()
        self._lock = threading.Lock()
        self._all: list[_Held] = []
        self._process = os.getpid()
        self._closed = False
        self._file: object = None  # which file it is: every later connection is to the same one
        opened.note(self)

    @contextmanager
    def use(self) -> Generator[Connection]:
        """This thread's connection, opened when needed; `close` waits until it is given back.

        Raises:
            ClosedMind: `close` was called.
            StorageError: the file cannot be opened; subclasses say why.
        """
        with translated(self.path), INSIDE:
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
            raise ReadOnlyMind(str(self.path), "was opened read-only", "Open it to write, or restore its workspace")
        with self.use() as connection:
            self._refuse_if_gone()
            self._sync(connection, full=self._durable or rows >= FULL_FROM_ROWS)
            with self._line.front(connection):
                connection.execute("BEGIN IMMEDIATE")
            try:
                self._admit_again(connection)
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def bulk(self) -> Generator[None]:
        """Many large transactions of this thread: the WAL may grow, and is moved into the file at their end.

        They hold fewer pages in memory, since what they gather takes its place.
        What was committed is durable all the same: whoever opens the file next reads the WAL too.
        """
        self._allow(BULK_PAGES, BULK_CACHE_KIB)
        try:
            yield
        finally:
            if not self._closed:
                self._allow(CHECKPOINT_PAGES, CACHE_KIB)
                with suppress(StorageError), self.use() as connection:  # nothing is lost: the WAL stays
                    connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _allow(self, wal_pages: int, cache_kib: int) -> None:
        with self.use() as connection:
            connection.execute(f"PRAGMA wal_autocheckpoint = {wal_pages}")
            connection.execute(f"PRAGMA cache_size = {-cache_kib}")

    @property
    def version(self) -> int | None:
        """What changes when anybody but this thread writes, as this thread's write transaction found it."""
        held: _Held = self._local.held
        return held.version

    def refuse_if_replaced(self) -> None:
        """Stop a read whose answer says where something lies: the place may be another's by now.

        Raises:
            StorageError: the file was moved, deleted or replaced.
        """
        if self._file not in (None, file_state.identities(self.path)[0]):
            raise self._gone()

    def part(self) -> None:
        """Close the connections that nobody uses, before the process forks; whoever needs one opens it again."""
        for held in self._all:
            if held.thread is threading.current_thread() and is_inside():
                continue  # it forks in the middle of a call
            if held.lock.acquire(blocking=False):
                held.parted = True
                _shut(held)
                held.lock.release()
        self._all = [held for held in self._all if not held.parted]

    def close(self) -> None:
        """Close every thread's connection, each after the transaction it is in; later calls raise ClosedMind."""
        if self._process != os.getpid():
            self._leave_to_the_parent()
        with INSIDE:
            with self._lock:
                self._closed = True
                ours, self._all = self._all, []
            for held in ours:
                _shut(held)
        if not self.read_only:
            self._line.clear()
        opened.drop(self)

    def _hold(self) -> _Held:
        if self._process != os.getpid():
            self._leave_to_the_parent()
        held: _Held | None = getattr(self._local, "held", None)
        if (
            held is not None
            and not held.parted
            and (held.frozen is None or held.connection.in_transaction or held.frozen == file_state.state(self.path))
        ):
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

    def _leave_to_the_parent(self) -> None:
        """After a fork: the connections are the parent's, and SQLite forbids to use or to close them here."""
        INHERITED.extend(self._all)
        self._all, self._local, self._lock = [], threading.local(), threading.Lock()
        self._process = os.getpid()

    def _refuse_if_gone(self) -> None:
        """Stop a write to a file or WAL that no longer has a name: it would be lost with the last connection.

        A WAL loses its name when anything in this process opens and closes the file and its shared memory past
        SQLite: that drops this process's locks (POSIX), and the next process to leave takes itself for the last.
        """
        held: _Held = self._local.held
        if held.files != file_state.identities(self.path):
            raise self._gone()

    def _gone(self) -> StorageError:
        return StorageError(
            str(self.path),
            "was moved, deleted or replaced while it was open, or its WAL was",
            "Close it and open it where it lies now; nothing was written",
        )

    def _admit_again(self, connection: Connection) -> None:
        """Look at the file again if anybody wrote since: a newer version may have changed it."""
        held: _Held = self._local.held
        version: int = connection.execute("PRAGMA data_version").get
        if held.version != version:
            self._admit(connection, self.path)
            held.version = version

    def _sync(self, connection: Connection, *, full: bool) -> None:
        """Choose how this thread's next commits reach the disk; it cannot be changed inside a transaction."""
        held: _Held = self._local.held
        if held.full is not full:
            connection.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
            held.full = full

    def _open(self) -> _Held:
        until = time.monotonic() + patience.BUSY_MILLISECONDS / 1000
        while True:
            try:
                return self._try()
            except (apsw.BusyError, apsw.LockedError):
                if time.monotonic() >= until:
                    raise
                time.sleep(OPEN_PAUSE_SECONDS)

    def _try(self) -> _Held:
        if not self.read_only:
            make = apsw.SQLITE_OPEN_CREATE if self._file is None else 0
            return self._connect(str(self.path), apsw.SQLITE_OPEN_READWRITE | make)
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        name = quote(self.path.absolute().as_posix())
        try:
            return self._connect(f"file:{name}?mode=ro", flags)
        except (apsw.ReadOnlyError, apsw.CantOpenError):  # a WAL needs its shared memory, a file of its own
            if file_state.wal_size(self.path):
                if file_state.may_write(self.path.parent):
                    raise
                what = "has changes in its WAL, which can only be read where its folder may be written"
                raise StorageError(str(self.path), what, "Copy it with its WAL to such a folder") from None
            return self._connect(f"file:{name}?immutable=1", flags, frozen=file_state.state(self.path))

    def _connect(self, name: str, flags: int, *, frozen: tuple[int, ...] | None = None) -> _Held:
        self.refuse_if_replaced()
        before = file_state.identities(self.path)
        raw = apsw.Connection(name, flags, self._vfs, STATEMENT_CACHE)
        try:
            self._prepare(raw)
            after = self._still(before)
        except apsw.NotADBError as problem:
            raw.close()
            raise refusal(self.path, self.key) from problem
        except BaseException:
            raw.close()
            raise
        self._file = after[0]
        return _Held(cast("Connection", raw), after, frozen)

    def _still(self, before: tuple[object, ...]) -> tuple[object, ...]:
        """The files now; one that was replaced while it was being opened is opened again."""
        after = file_state.identities(self.path)
        if before[0] not in (None, after[0]):
            raise apsw.BusyError(f"{self.path} was replaced while it was being opened")
        return after

    def _prepare(self, raw: apsw.Connection) -> None:
        patience.wait(raw)
        if self.key is not None:
            self.key.unlock(raw)
        raw.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
        raw.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
        raw.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        raw.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)  # else a statement is planned anew for each value it is given
        left = file_state.wal_size(self.path) > 0  # what another program left there is not ours to move into its file
        raw.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(left))
        connection = cast("Connection", raw)
        connection.execute("BEGIN")  # one look: another process may be making the file at this moment
        self._admit(connection, self.path)
        connection.execute("COMMIT")
        raw.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        if not self.read_only and connection.pragma("journal_mode") != "wal":
            connection.pragma("journal_mode", "wal")
            connection.pragma("user_version")  # a first read: it makes the WAL, by whose identity it is known later
        connection.pragma("foreign_keys", True)
        connection.pragma("fullfsync", True)  # macOS only: FULL then means it
        connection.pragma("cache_size", -CACHE_KIB)
        connection.pragma("temp_store", "memory")


def _shut(held: _Held) -> None:
    with held.lock, suppress(apsw.Error):  # merging the WAL may fail; it stays, and nothing is lost
        held.connection.close()
