"""A mind's file, open: the transactions, the author, the clock and the vector indexes that every verb uses."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput, NotFound, StorageError, shown
from noosphere.forking import Lock
from noosphere.ids import uid_text
from noosphere.model.when import read_zone
from noosphere.records import dataclass
from noosphere.store import layout, meta, migrations, refold, units, usage, vectors
from noosphere.store.connection import Db
from noosphere.store.failures import on_disk
from noosphere.store.sessions import Sitting
from noosphere.store.transaction import Author, Tx

if TYPE_CHECKING:
    from collections.abc import Generator
    from datetime import tzinfo

    from noosphere.clock import Clock
    from noosphere.ids import Ids
    from noosphere.store.connection import Connection
    from noosphere.store.fulltext import Era
    from noosphere.store.key import Key
    from noosphere.store.transaction import Known
    from noosphere.store.vector_index import VectorIndex
    from noosphere.store.vectors import SpaceRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """How to open a mind's file."""

    create: bool = True
    read_only: bool = False
    durable: bool = False
    zone: str = "UTC"
    mind: str | None = None  # the UUID of a new mind, when a registry gave it one
    vfs: str | None = None
    secrets: str = "flag"  # what writes do with secrets in a text: flag, redact, refuse
    autolink: bool = True  # whether memories that are alike are linked when they are embedded
    semantic_dedup: bool = True  # whether memories that say the same are merged or flagged when they are embedded
    key: Key | None = None  # of an encrypted mind


@dataclass(frozen=True, slots=True)
class _Memo:
    """What a thread's last transaction knew, as long as its connection's data_version stays: nobody else wrote since.

    Two connections count from the same number: after a fork, or when a file was opened again, it tells nothing.
    """

    connection: Connection
    version: int | None
    known: Known
    sitting: Sitting | None
    clocks: dict[int, int]


class MindFile:
    """One mind's SQLite file and the segments beside it."""

    def __init__(self, path: Path, clock: Clock, ids: Ids, author: Author, opening: Opening) -> None:
        """Open the file, creating or upgrading it.

        Raises:
            NotFound: it is not there and may not be created.
            StorageError: it cannot be opened, is not a mind, or is from a newer version.
        """
        with on_disk(path):
            if not opening.create and not path.exists():
                raise NotFound("mind", str(path), "Check the path, or open it with create=True")
        self.clock = clock
        self.ids = ids
        self.author = author
        self.secrets = opening.secrets
        self.autolink = opening.autolink
        self.semantic_dedup = opening.semantic_dedup
        self.db = Db(
            path,
            admit=migrations.check,
            read_only=opening.read_only,
            durable=opening.durable,
            vfs=opening.vfs,
            key=opening.key,
        )
        self.path = self.db.path  # where it really lies: its segments are beside it
        try:
            migrations.migrate(self.db, self.path)
            self._facts = self._identify(opening)
            if self._facts.layout != layout.mark():
                layout.complete(self.db, self.path, lambda sql: Tx(sql, ids, clock.now(), author))
            if refold.is_old(self._facts):
                refold.complete(self.db, lambda sql: Tx(sql, ids, clock.now(), author))
                self._facts = self.facts()
        except BaseException:
            self.db.close()
            raise
        self.zone: tzinfo = read_zone(self._facts.zone)
        self._lock = Lock()
        self._local = threading.local()
        self._uses: dict[bytes, tuple[int, int]] = {}
        self._indexes: dict[int, VectorIndex] = {}
        self.segments_seen = False  # whether this opening has looked for segments that cannot be used (segment_build)

    @property
    def mind(self) -> str:
        """The mind's UUID."""
        return self._facts.mind

    @property
    def incarnation(self) -> str:
        """What changes when a mind is restored or forked; segments of another incarnation are not trusted."""
        return self._facts.incarnation

    @property
    def read_only(self) -> bool:
        """Whether this opening may not write."""
        return self.db.read_only

    def is_folded(self) -> bool:
        """Whether its full text was made by this version's fold, by itself or by another process meanwhile."""
        if refold.is_old(self._facts):
            self._facts = self.facts()
        return not refold.is_old(self._facts)

    def facts(self) -> meta.Meta:
        """What the file says of itself now."""
        with self.db.read() as sql:
            return meta.read(sql) or self._facts

    @contextmanager
    def read(self) -> Generator[Connection]:
        """One snapshot for several reads."""
        with self.db.read() as sql:
            writing: Tx | None = getattr(self._local, "writing", None)
            yield sql if writing is None else writing.sql

    @contextmanager
    def write(self, *, rows: int = 1) -> Generator[Tx]:
        """The one write path: buffered uses are counted and what has ended is moved, then the caller writes.

        `rows` is about how many frames the caller will write.

        Raises:
            ReadOnlyMind: the mind was opened read-only or is retired.
        """
        shared: Tx | None = getattr(self._local, "shared", None)
        if shared is not None:
            with shared.part():
                yield shared
                if not shared.gathers:
                    units.flush(shared)
            return
        uses = self._take_uses()
        try:
            with self.db.write(rows=rows) as sql:
                meta.refuse_if_retired(sql, self.path)
                memo = self._take_memo(sql)
                known = None if memo is None else memo.known
                tx = self._local.writing = Tx(sql, self.ids, self.clock.now(), self.author, defers=True, known=known)
                if memo is not None:
                    tx.sitting, tx.clocks = memo.sitting, dict(memo.clocks)
                if uses:
                    usage.used(tx, uses)
                units.expire(tx, tx.now)
                yield tx
                units.flush(tx)
                tx.settle()
            self._note(tx, memo)
        except BaseException:
            self._put_back(uses)
            raise
        finally:
            self._local.writing = None

    @contextmanager
    def together(self, *, rows: int, channel: str, gathers: bool = False) -> Generator[Tx]:
        """Make the writes of this thread one transaction; one that raises takes back only what it wrote itself.

        Args:
            rows: about how many frames they will write.
            channel: the door they come through.
            gathers: whether none of them asks the index, so that new units may wait for the end of it.

        Raises:
            ReadOnlyMind: the mind was opened read-only or is retired.
        """
        if getattr(self._local, "shared", None) is not None:
            with self.write(rows=rows) as tx:
                yield tx
            return
        with self.write(rows=rows) as tx:
            tx.author, tx.sitting, tx.gathers = replace(tx.author, channel=channel), None, gathers
            self._local.shared = tx
            try:
                yield tx
            finally:
                self._local.shared = None
                tx.sitting = None  # the author's own session is another

    def _take_memo(self, sql: Connection) -> _Memo | None:
        """What this thread's last transaction knew, if nobody else wrote since; one that fails leaves nothing."""
        memo: _Memo | None = getattr(self._local, "memo", None)
        self._local.memo = None
        return memo if memo is not None and memo.connection is sql and memo.version == self.db.version else None

    def _note(self, tx: Tx, before: _Memo | None) -> None:
        sitting = tx.sitting if tx.sitting is not None and tx.sitting.session.id in tx.clocks else None
        clocks = {} if sitting is None else {sitting.session.id: tx.clocks[sitting.session.id]}
        if sitting is not None and (before is None or clocks != before.clocks):  # it got a frame
            sitting = Sitting(sitting.session, max(sitting.last_at, tx.clock_now))
        self._local.memo = _Memo(tx.settled, self.db.version, tx.known, sitting, clocks)

    def note_use(self, uids: list[bytes]) -> None:
        """Remember that these were used; counted with the next write, since reads never write."""
        now = self.clock.now()
        with self._lock:
            for uid in uids:
                count, _ = self._uses.get(uid, (0, 0))
                self._uses[uid] = (count + 1, now)

    def has_uses(self) -> bool:
        """Whether uses wait to be counted."""
        return bool(self._uses)

    def spaces(self) -> dict[str, dict[Era, SpaceRow]]:
        """Every embedding space of this mind, by name and era."""
        with self.db.read() as sql:
            return vectors.spaces(sql)

    def index(self, space: SpaceRow) -> VectorIndex:
        """The search index of a space, opened when first asked."""
        from noosphere.store.vector_index import VectorIndex  # noqa: PLC0415  (brings numpy)

        with self._lock:
            if space.id not in self._indexes:
                self._indexes[space.id] = VectorIndex(space, self.path.parent, self.incarnation)
            return self._indexes[space.id]

    def forget_indexes(self) -> None:
        """Drop the in-memory indexes, as after their rows were rebuilt."""
        with self._lock:
            self._indexes.clear()

    def close(self) -> None:
        """Close every connection."""
        self.db.close()

    def _identify(self, opening: Opening) -> meta.Meta:
        with self.db.read() as sql:
            found = meta.read(sql)
        if found is not None:
            if opening.mind not in (None, found.mind):
                remedy = "Put the right file there, and take this one in: noosphere workspace import FILE NAME"
                raise StorageError(str(self.path), f"is not the mind that is known here, but {found.mind}", remedy)
            return found
        read_zone(opening.zone)
        with self.db.write() as sql:
            if meta.read(sql) is None:  # another process may have been faster
                meta.put(sql, "mind", opening.mind or uid_text(self.ids.new()))
                meta.put(sql, "incarnation", uid_text(self.ids.new()))
                meta.put(sql, "zone", opening.zone)
                meta.put(sql, "created_at", str(self.clock.now()))
                meta.put(sql, meta.LAYOUT, layout.mark())
                meta.put(sql, meta.FOLD, str(refold.FOLD))
            return meta.read(sql)  # pyright: ignore[reportReturnType]  (just written)

    def _take_uses(self) -> dict[bytes, tuple[int, int]]:
        with self._lock:
            uses, self._uses = self._uses, {}
        return uses

    def _put_back(self, uses: dict[bytes, tuple[int, int]]) -> None:
        with self._lock:
            for uid, (count, last) in uses.items():
                more, later = self._uses.get(uid, (0, 0))
                self._uses[uid] = (count + more, max(last, later))


def resolve_path(path: Path | str) -> Path:
    """Make a path absolute, with ~ expanded.

    Raises:
        InvalidInput: it cannot be the name of a file.
    """
    try:
        resolved = Path(path).expanduser().absolute()
        if isinstance(path, str) and not path.strip():  # else the working folder
            raise InvalidInput("path", f"{shown(path)} names no file", "Give its path")
        if "\0" not in str(resolved).encode().decode():
            return resolved
    except (TypeError, RuntimeError, UnicodeError):  # no path at all, ~nobody, or a name that is not UTF-8
        pass
    raise InvalidInput("path", f"{shown(str(path))} cannot name a file here", "Give another path")
