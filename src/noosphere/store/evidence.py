"""Evidence: why a node or an edge is believed, one row for each reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.ids import uid_text
from noosphere.records import dataclass
from noosphere.store.transaction import Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.store.connection import Connection
    from noosphere.store.transaction import Entry, Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One reason: a frame of this or another mind, an id in the source it came from, or a URI."""

    frame: bytes | None = None
    mind: bytes | None = None
    source_id: str | None = None
    uri: str | None = None
    at: int | None = None


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """Evidence as it is kept; `journal` is the uid of the entry that added it."""

    n: int
    mind: bytes | None
    frame: bytes | None
    source_id: str | None
    uri: str | None
    at: int
    journal: bytes


OF_SOURCE = "SELECT target, journal FROM evidence WHERE source_id = ? AND retracted_by IS NULL"
DRAWN = """SELECT 1 FROM node AS fact JOIN edge AS d ON d.src = fact.id AND d.type = 'drawn_from' AND d.known_to IS NULL
  JOIN node AS whole ON whole.id = d.dst JOIN evidence AS e ON e.target = whole.uid AND e.source_id = :source
  WHERE fact.uid = :fact AND e.retracted_by IS NULL LIMIT 1"""
INSERT = "INSERT INTO evidence (target, n, mind, frame, source_id, uri, at, journal) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


def add(tx: Tx, entry: Entry, target: bytes, *reasons: Reason) -> None:
    """Add reasons to believe the target."""
    last = tx.sql.execute("SELECT n FROM evidence WHERE target = ? ORDER BY n DESC LIMIT 1", (target,)).get
    _add(tx, entry, target, reasons, (last or 0) + 1)


def add_first(tx: Tx, entry: Entry, target: bytes, *reasons: Reason) -> None:
    """Add the first reasons to believe something just created."""
    _add(tx, entry, target, reasons, 1)


def _add(tx: Tx, entry: Entry, target: bytes, reasons: Iterable[Reason], first: int) -> None:
    for n, reason in enumerate(reasons, start=first):
        _insert(tx, entry, target, reason, n)


def _insert(tx: Tx, entry: Entry, target: bytes, reason: Reason, n: int) -> None:
    tx.put(
        Table.EVIDENCE,
        INSERT,
        (
            target, n, reason.mind, reason.frame, reason.source_id, reason.uri,
            entry.at if reason.at is None else reason.at, entry.waiting,
        ),
    )  # fmt: skip
    entry.touched.evidence.append([uid_text(target), n])


def turn(tx: Tx, entry: Entry, target: bytes, n: int, *, stands: bool) -> None:
    """Take back a reason, or put it back so that it stands."""
    taken = tx.sql.execute("SELECT retracted_by FROM evidence WHERE target = ? AND n = ?", (target, n)).get
    if stands == (taken is None):
        return
    value = None if stands else entry.id
    tx.sql.execute("UPDATE evidence SET retracted_by = ? WHERE target = ? AND n = ?", (value, target, n))
    entry.touched.evidence.append([uid_text(target), n])


def of(sql: Connection, target: bytes) -> list[EvidenceRow]:
    """The reasons that stand for a target, in order."""
    rows = sql.execute(
        """SELECT e.n, e.mind, e.frame, e.source_id, e.uri, e.at, j.uid FROM evidence AS e
           JOIN journal AS j ON j.id = e.journal WHERE e.target = ? AND e.retracted_by IS NULL ORDER BY e.n""",
        (target,),
    )
    return [EvidenceRow(*r) for r in rows]


def target_of_source(sql: Connection, source_id: str) -> bytes | None:
    """What an id of an import's source became here; the newest, if it became several things. Not a fact drawn of it."""
    rows = sql.execute(OF_SOURCE, (source_id,)).fetchall()
    if len(rows) > 1:
        rows = [row for row in rows if sql.execute(DRAWN, {"fact": row[0], "source": source_id}).get is None] or rows
    return max(rows, key=lambda r: r[1])[0] if rows else None


def resting_on(sql: Connection, frame: bytes) -> list[bytes]:
    """What a frame of this mind is a reason to believe, the oldest first."""
    rows = sql.execute(
        """SELECT DISTINCT target FROM evidence WHERE frame = ? AND mind IS NULL AND retracted_by IS NULL
           ORDER BY target""",
        (frame,),
    )
    return [target for (target,) in rows]


def count(sql: Connection, target: bytes) -> int:
    """How many reasons stand for a target."""
    return sql.execute("SELECT count(*) FROM evidence WHERE target = ? AND retracted_by IS NULL", (target,)).get
