"""Rows of pages that no inner page leads to any more, read from the bytes of the file (sqlite.org/fileformat.html).

A page whose parent is lost is whole itself. It is taken for a table's only if each of its rows has the columns of that
table and of no other, and only while the list of free pages is whole: a free page may hold what was deleted.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import apsw

from noosphere.store.key import MAGIC
from noosphere.store.raw import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from noosphere.store.connection import Connection

INNER_INDEX, INNER_TABLE, LEAF_INDEX, LEAF_TABLE = 2, 5, 10, 13
WAL_MAGIC = (0x377F0682, 0x377F0683)
WAL_HEADER = 32  # bytes
FLOAT, MORE = 7, 0x80  # a record's type of a float; the bit of a varint that says that it goes on
KINDS = {"INTEGER": (int,), "REAL": (float, int), "TEXT": (str,), "BLOB": (bytes,)}
Record = tuple[int | None, list[Any]]


class Torn(Exception):
    """Bytes that are no row."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The columns of a table as they lie in a record: name, type, whether NULL is allowed; `key` is the rowid's."""

    columns: tuple[tuple[str, str, bool], ...]
    key: str | None

    def fits(self, record: Record) -> bool:
        """Whether a record can be a row of this table."""
        number, values = record
        if (number is None) != (self.key is None) or len(values) > len(self.columns):
            return False
        whole = [*values, *([None] * (len(self.columns) - len(values)))]
        return all(
            (value is None and (nullable or name == self.key)) or isinstance(value, KINDS.get(kind, (object,)))
            for value, (name, kind, nullable) in zip(whole, self.columns, strict=True)
        )

    def row(self, record: Record) -> dict[str, Any]:
        """A record as a row, by column."""
        number, values = record
        whole = [*values, *([None] * (len(self.columns) - len(values)))]
        named = {name: value for (name, _, _), value in zip(self.columns, whole, strict=True)}
        return named if self.key is None else named | {self.key: number}


class Pages:
    """The pages of a damaged file, its WAL laid over it."""

    def __init__(self, path: Path, sql: Connection) -> None:
        self._data = bytearray(_read(path))
        self._orphans: list[int]
        if not self._data.startswith(MAGIC):  # encrypted, or its first page is gone
            self._orphans = []
            return
        size = int.from_bytes(self._data[16:18], "big")
        self._size = 65_536 if size == 1 else max(size, 512)
        self._usable = self._size - self._data[20]
        _overlay(self._data, self._size, _read(path.with_name(f"{path.name}-wal")))
        self._count = len(self._data) // self._size
        try:
            self._orphans = self._unreached(sql)
        except (struct.error, IndexError):
            self._orphans = []

    def rows(self, table: str, shapes: dict[str, Shape]) -> Iterator[dict[str, Any]]:
        """The rows of a table that lie on pages without a parent."""
        for page in self._orphans:
            try:
                records = list(self._records(page))
            except (Torn, struct.error, IndexError, UnicodeDecodeError):
                continue
            fitting = [name for name, shape in shapes.items() if all(shape.fits(record) for record in records)]
            if records and fitting == [table]:
                yield from (shapes[table].row(record) for record in records)

    def _unreached(self, sql: Connection) -> list[int]:
        """The leaf pages that nothing leads to; none when it cannot be said which pages are free."""
        reached = self._free()
        if reached is None:
            return []
        try:
            roots = [
                root for (root,) in sql.execute("SELECT rootpage FROM sqlite_schema WHERE rootpage > 0").fetchall()
            ]
        except (apsw.Error, UnicodeDecodeError):
            return []
        todo = [1, *roots]
        while todo:
            page = todo.pop()
            if page in reached or not 1 <= page <= self._count:
                continue
            reached.add(page)
            todo += self._children(page)
        leaves = (page for page in range(2, self._count + 1) if page not in reached)
        return [page for page in leaves if self._data[(page - 1) * self._size] in (LEAF_TABLE, LEAF_INDEX)]

    def _free(self) -> set[int] | None:
        """The free pages; None when their list is torn."""
        trunk, count = struct.unpack(">II", self._data[32:40])
        free: set[int] = set()
        while trunk:
            if trunk in free or trunk > self._count:
                return None
            at = (trunk - 1) * self._size
            following, leaves = struct.unpack(">II", self._data[at : at + 8])
            if leaves > self._usable // 4 - 2:
                return None
            free.add(trunk)
            free.update(struct.unpack(f">{leaves}I", self._data[at + 8 : at + 8 + 4 * leaves]))
            trunk = following
        return free if len(free) == count else None

    def _children(self, page: int) -> list[int]:
        at = (page - 1) * self._size
        head = at + (100 if page == 1 else 0)
        if self._data[head] not in (INNER_INDEX, INNER_TABLE):
            return []
        cells = self._cells(page)
        right = int.from_bytes(self._data[head + 8 : head + 12], "big")
        return [*(int.from_bytes(self._data[at + cell : at + cell + 4], "big") for cell in cells), right]

    def _cells(self, page: int) -> list[int]:
        at = (page - 1) * self._size
        head = at + (100 if page == 1 else 0)
        first = head + (12 if self._data[head] in (INNER_INDEX, INNER_TABLE) else 8)
        count = min(int.from_bytes(self._data[head + 3 : head + 5], "big"), self._size // 2)
        pointers = struct.unpack(f">{count}H", self._data[first : first + 2 * count])
        return [cell for cell in pointers if cell < self._usable]

    def _records(self, page: int) -> Iterator[Record]:
        at = (page - 1) * self._size
        is_table = self._data[at] == LEAF_TABLE
        for cell in self._cells(page):
            length, here = self._varint(at + cell)
            number = None
            if is_table:
                number, here = self._varint(here)
            yield number, _values(self._payload(here, length, is_table=is_table))

    def _payload(self, here: int, length: int, *, is_table: bool) -> bytes:
        """A record's bytes, those of its overflow pages too."""
        usable = self._usable
        most = usable - 35 if is_table else (usable - 12) * 64 // 255 - 23
        if length > len(self._data):
            raise Torn
        if length <= most:
            return bytes(self._data[here : here + length])
        least = (usable - 12) * 32 // 255 - 23
        local = least + (length - least) % (usable - 4)
        local = local if local <= most else least
        found = bytes(self._data[here : here + local])
        following = int.from_bytes(self._data[here + local : here + local + 4], "big")
        while len(found) < length:
            if not 1 < following <= self._count:
                raise Torn
            at = (following - 1) * self._size
            found += bytes(self._data[at + 4 : at + 4 + min(usable - 4, length - len(found))])
            following = int.from_bytes(self._data[at : at + 4], "big")
        return found

    def _varint(self, at: int) -> tuple[int, int]:
        return _varint(self._data, at)


def shape_of(sql: Connection, table: str) -> Shape:
    """How the rows of a table lie: in the order of its columns, or with its key first where it has no rowid."""
    told = sql.execute('SELECT name, type, "notnull", pk FROM pragma_table_info(?)', (table,)).fetchall()
    (made,) = sql.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchall()[0]
    columns = [(name, kind, not required) for name, kind, required, _ in told]
    if "WITHOUT ROWID" in made.upper():
        keys = [column for column, row in sorted(zip(columns, told, strict=True), key=lambda p: p[1][3]) if row[3]]
        keys = [(name, kind, False) for name, kind, _ in keys]
        named = {name for name, _, _ in keys}
        return Shape((*keys, *(column for column in columns if column[0] not in named)), None)
    key = next((name for name, kind, _, pk in told if pk and kind == "INTEGER"), "rowid")
    return Shape(tuple(columns), key)


def _values(record: bytes) -> list[Any]:
    size, here = _varint(record, 0)
    kinds: list[int] = []
    while here < size:
        kind, here = _varint(record, here)
        kinds.append(kind)
    found: list[Any] = []
    for kind in kinds:
        value, here = _value(record, here, kind)
        found.append(value)
    if here != len(record) or not kinds:
        raise Torn
    return found


def _value(record: bytes, at: int, kind: int) -> tuple[Any, int]:
    lengths = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)
    if kind in (10, 11):
        raise Torn
    length = lengths[kind] if kind < len(lengths) else (kind - 12) // 2
    part = record[at : at + length]
    if len(part) < length:
        raise Torn
    if kind == 0:
        return None, at
    if kind in (8, 9):
        return kind - 8, at
    if kind == FLOAT:
        return struct.unpack(">d", part)[0], at + length
    if kind < FLOAT:
        return int.from_bytes(part, "big", signed=True), at + length
    return (part.decode() if kind % 2 else part), at + length


def _varint(data: bytes | bytearray, at: int) -> tuple[int, int]:
    value = 0
    for step in range(8):
        byte = data[at + step]
        value = value << 7 | byte & 0x7F
        if byte < MORE:
            return value, at + step + 1
    value = value << 8 | data[at + 8]
    return value - (1 << 64 if value >> 63 else 0), at + 9


def _overlay(data: bytearray, size: int, wal: bytes) -> None:
    """Lay the committed pages of a WAL over the file."""
    if len(wal) < WAL_HEADER or int.from_bytes(wal[:4], "big") not in WAL_MAGIC:
        return
    waiting: dict[int, bytes] = {}
    for at in range(WAL_HEADER, len(wal) - size - 23, 24 + size):
        page, commit = struct.unpack(">II", wal[at : at + 8])
        if wal[at + 8 : at + 16] != wal[16:24] or not page:
            return
        waiting[page] = wal[at + 24 : at + 24 + size]
        if commit:
            for number, content in waiting.items():
                data.extend(bytes(max(0, number * size - len(data))))
                data[(number - 1) * size : number * size] = content
            waiting.clear()


def _read(path: Path) -> bytes:
    """A file's bytes; none when it is not there."""
    return read_bytes(path, 0, path.stat().st_size) if path.is_file() else b""
