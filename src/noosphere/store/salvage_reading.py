"""Reading what can be read of a damaged file: by ranges of keys that are halved where SQLite meets damage."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import apsw

from noosphere.store.failures import Spoiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.store.connection import Connection, Row

UNREADABLE = (apsw.Error, UnicodeError, Spoiled, MemoryError)
PROBES = 10_000  # failed looks at one table before the rest of it is given up; the widest ranges are tried first
NUMBERED = {  # by which whole number a table is read, and whose ids these numbers are
    "journal": ("id", "journal"),
    "session": ("id", "session"),
    "session_version": ("session", "session"),
    "participants": ("id", "frame"),  # never more than frames
    "node": ("id", "node"),
    "frame": ("id", "frame"),
    "frame_ref": ("frame", "frame"),
    "frame_version": ("frame", "frame"),
    "unnamed": ("frame", "frame"),
    "node_version": ("node", "node"),
    "tag": ("node", "node"),
    "edge": ("id", "edge"),
    "usage": ("node", "node"),
    "ai_interactions": ("id", "ai_interactions"),
    "install_audit": ("id", "install_audit"),
    "identity": ("id", "identity"),
    "awareness": ("id", "awareness"),
    "concept_mastery": ("id", "concept_mastery"),
    "improvement_signals": ("id", "improvement_signals"),
    "signal_turn": ("signal", "improvement_signals"),
    "procedures": ("id", "procedures"),
    "execution_traces": ("id", "execution_traces"),
    "upkeep_runs": ("id", "upkeep_runs"),
    "harvest_runs": ("id", "harvest_runs"),
    "harvest_sources": ("id", "harvest_sources"),
    "quarantine": ("id", "quarantine"),
}
LEAST_ROW_BYTES = 32  # uid, times and the cell around them
WORDED = {
    "edge_type": "name",
    "entity_type": "name",
    "registry_version": "registry, name, n",
    "evidence": "target, n",
    "harvest_items": "key",
}


class Reader:
    """The rows of one damaged file; `torn` names the tables that it could not read whole."""

    def __init__(self, sql: Connection, size: int) -> None:
        self._sql = sql
        self._size = size
        self.torn: set[str] = set()

    def rows(self, table: str, columns: str) -> Iterator[Row]:
        """Every row that can be read; one may come twice."""
        if table in NUMBERED:
            key, owner = NUMBERED[table]
            return self._numbered(table, columns, key, self.highest(owner))
        return self._worded(table, columns, WORDED[table])

    def highest(self, table: str) -> int:
        """The highest id a table can have given, never above what a file of this size has room for."""
        for query in ("SELECT seq FROM sqlite_sequence WHERE name = ?1", f"SELECT max(id) FROM {table} WHERE ?1 <> ''"):
            try:
                found = self._sql.execute(query, (table,)).get
            except UNREADABLE:
                continue
            if isinstance(found, int):
                return min(found, self._size)
        return 0 if table not in self.torn and self._empty(table) else self._size // LEAST_ROW_BYTES

    def _empty(self, table: str) -> bool:
        try:
            return not self._sql.execute(f"SELECT EXISTS (SELECT 1 FROM {table})").get
        except UNREADABLE:
            return False

    def _numbered(self, table: str, columns: str, key: str, highest: int) -> Iterator[Row]:
        query = f"SELECT {key}, {columns} FROM {table} WHERE {key} BETWEEN ? AND ? ORDER BY {key}"
        ranges, probes = deque([(1, highest)]), 0
        while ranges and probes < PROBES:
            low, high = ranges.popleft()
            if low > high:
                continue
            last = low - 1
            try:
                for number, *row in self._sql.execute(query, (low, high)):
                    if not last <= number <= high:  # a page of something else lies there
                        raise Spoiled(table)
                    last = number
                    yield tuple(row)
            except UNREADABLE:
                self.torn.add(table)
                probes += 1
                if last >= low:  # what follows on the last number may not have been read
                    ranges.append((last + 1, high))
                elif low < high:
                    middle = (low + high) // 2
                    ranges += [(low, middle), (middle + 1, high)]

    def _worded(self, table: str, columns: str, key: str) -> Iterator[Row]:
        for order in ("ASC", "DESC"):
            ordered = ", ".join(f"{part} {order}" for part in key.split(", "))
            try:
                yield from self._sql.execute(f"SELECT {columns} FROM {table} ORDER BY {ordered}")
            except UNREADABLE:
                self.torn.add(table)
            else:
                return
