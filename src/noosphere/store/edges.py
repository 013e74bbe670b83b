"""Edges: one row for each version of an edge; retired, never deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.errors import BrokenInvariant
from noosphere.ids import uid_text
from noosphere.model.edge import EdgeType
from noosphere.model.vocabulary import Claim, Provenance
from noosphere.records import dataclass

if TYPE_CHECKING:
    from noosphere.store.connection import Connection, Row
    from noosphere.store.transaction import Entry, Tx


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEdge:
    """An edge about to be written; frames anchor it in a turn."""

    src: int
    dst: int
    type: EdgeType | str
    weight: float
    provenance: Provenance
    claim: Claim
    src_frame: int | None = None
    dst_frame: int | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    uid: bytes | None = None  # given when an edge is opened again


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """One version of an edge."""

    id: int
    uid: bytes
    src: int
    dst: int
    type: str
    src_frame: int | None
    dst_frame: int | None
    weight: float
    provenance: str
    claim: str
    valid_from: int | None
    valid_to: int | None
    known_from: int
    known_to: int | None

    @property
    def derived(self) -> bool:
        """Whether the edge follows from a slot's timeline."""
        return self.type == EdgeType.SUPERSEDES and self.provenance == Provenance.SYSTEM

    @property
    def inferred(self) -> bool:
        """Whether it was read off what a memory says, so that it stands as long as anything says so."""
        return self.provenance == Provenance.INFERRED


COLUMNS = """id, uid, src, dst, type, src_frame, dst_frame, weight, provenance, claim, valid_from, valid_to,
  known_from, known_to FROM edge"""


def insert(tx: Tx, entry: Entry, new: NewEdge) -> EdgeRow:
    """Open a version of an edge: a new edge, or one that was retired (same uid)."""
    uid = new.uid or tx.ids.new()
    last = tx.sql.execute("SELECT max(known_from) FROM edge WHERE uid = ?", (uid,)).get if new.uid else None
    at = entry.at if last is None else tx.tick(entry, after=last)
    tx.sql.execute(
        """INSERT INTO edge (uid, src, dst, type, src_frame, dst_frame, weight, provenance, claim, valid_from, valid_to,
             known_from, opened_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            uid, new.src, new.dst, new.type, new.src_frame, new.dst_frame, new.weight, new.provenance, new.claim,
            new.valid_from, new.valid_to, at, entry.id,
        ),
    )  # fmt: skip
    entry.touched.edges.append([uid_text(uid), at, "opened"])
    return EdgeRow(
        tx.sql.last_insert_rowid(), uid, new.src, new.dst, new.type, new.src_frame, new.dst_frame, new.weight,
        new.provenance, new.claim, new.valid_from, new.valid_to, at, None,
    )  # fmt: skip


def retire(tx: Tx, entry: Entry, edge: int) -> None:
    """Close the open version of an edge."""
    row = by_id(tx.sql, edge)
    at = tx.tick(entry, after=row.known_from)
    tx.sql.execute("UPDATE edge SET known_to = ?, closed_by = ? WHERE id = ?", (at, entry.id, edge))
    entry.touched.edges.append([uid_text(row.uid), row.known_from, "closed"])


def by_id(sql: Connection, edge: int) -> EdgeRow:
    """Fetch an edge version that is known to exist."""
    return EdgeRow(*sql.execute(f"SELECT {COLUMNS} WHERE id = ?", (edge,)).fetchall()[0])


def standing(sql: Connection, uid: bytes) -> EdgeRow | None:
    """The open version of an edge, if it stands."""
    return _one(sql.execute(f"SELECT {COLUMNS} WHERE uid = ? AND known_to IS NULL", (uid,)).fetchall())


def was(sql: Connection, uid: bytes) -> bool:
    """Whether an edge ever stood."""
    return sql.execute("SELECT 1 FROM edge WHERE uid = ?", (uid,)).get is not None


def version(sql: Connection, uid: bytes, known_from: int) -> EdgeRow:
    """One version of an edge."""
    found = _one(sql.execute(f"SELECT {COLUMNS} WHERE uid = ? AND known_from = ?", (uid, known_from)).fetchall())
    if found is None:
        raise BrokenInvariant(f"edge {uid.hex()} has no version from {known_from}")
    return found


def again(row: EdgeRow) -> NewEdge:
    """The same edge, to be opened again."""
    return NewEdge(
        uid=row.uid,
        src=row.src,
        dst=row.dst,
        type=row.type,
        weight=row.weight,
        provenance=Provenance(row.provenance),
        claim=Claim(row.claim),
        src_frame=row.src_frame,
        dst_frame=row.dst_frame,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
    )


def between(sql: Connection, new: NewEdge) -> EdgeRow | None:
    """The edge that already stands between these ends with this type and anchor."""
    rows = sql.execute(
        f"""SELECT {COLUMNS} WHERE src = ? AND dst = ? AND type = ? AND coalesce(src_frame, 0) = coalesce(?, 0)
            AND coalesce(dst_frame, 0) = coalesce(?, 0) AND known_to IS NULL""",
        (new.src, new.dst, new.type, new.src_frame, new.dst_frame),
    ).fetchall()
    return _one(rows)


def of_node(sql: Connection, node: int) -> list[EdgeRow]:
    """The edges that stand at a node, heaviest first."""
    rows = sql.execute(
        f"SELECT {COLUMNS} WHERE (src = ? OR dst = ?) AND known_to IS NULL ORDER BY weight DESC, id", (node, node)
    )
    return [EdgeRow(*r) for r in rows]


def journal_of(sql: Connection, edge: EdgeRow) -> str:
    """The journal entry that opened this version of an edge."""
    uid = sql.execute(
        "SELECT j.uid FROM edge AS e JOIN journal AS j ON j.id = e.opened_by WHERE e.id = ?", (edge.id,)
    ).get
    return uid_text(uid)


def types(sql: Connection) -> list[str]:
    """The registry of edge types."""
    return [name for (name,) in sql.execute("SELECT name FROM edge_type WHERE withdrawn = 0 ORDER BY name")]


def _one(rows: list[Row]) -> EdgeRow | None:
    return EdgeRow(*rows[0]) if rows else None
