"""Nodes and their versions: every change closes one row of node_version and opens the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from noosphere.errors import BrokenInvariant
from noosphere.ids import uid_text
from noosphere.model.vocabulary import CURRENT_STATUSES, Claim, Importance, Kind, NodeClass, Source, Status, Volatility
from noosphere.records import dataclass
from noosphere.store.failures import only
from noosphere.store.transaction import Table

if TYPE_CHECKING:
    from noosphere.store.connection import Connection, Row
    from noosphere.store.transaction import Entry, Tx


@dataclass(frozen=True, slots=True)
class NodeRow:
    """What never changes about a node."""

    id: int
    uid: bytes
    node_class: NodeClass
    key: str | None


class State(NamedTuple):
    """What a version says of a node; the names are the columns of node_version, in their order."""

    head: int | None = None
    fold_hash: bytes | None = None
    status: Status = Status.ACTIVE
    role: str | None = None
    kind: Kind | None = None
    volatility: Volatility | None = None
    importance: Importance = Importance.NORMAL
    source: Source = Source.USER_STATED
    claim: Claim = Claim.UNKNOWN
    confidence: float | None = None
    subject: str | None = None
    slot_subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    value_norm: str | None = None
    negated: int = 0
    functional: int | None = None
    stated_from: int | None = None
    stated_to: int | None = None
    stated_grain: str | None = None
    valid_from: int | None = None
    valid_basis: str | None = None
    occurred_from: int | None = None
    occurred_to: int | None = None
    occurred_grain: str | None = None
    title: str | None = None
    metadata: str | None = None
    trace_id: str | None = None
    conflict: int = 0
    duplicate_candidate: int = 0
    corrected: int = 0
    settled: bytes | None = None
    secret: int = 0
    suspect: float | None = None
    rules: str | None = None
    retracted_at: int | None = None
    merged_into: int | None = None
    entity_type: str | None = None
    name: str | None = None
    norm_name: str | None = None
    properties: str | None = None

    @property
    def head_frame(self) -> int:
        """The frame of its head; 0, which is no frame, where it has none, as an entity."""
        return self.head or 0


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One row of node_version."""

    node: int
    n: int
    known_from: int
    known_to: int | None
    opened_by: int
    closed_by: int | None
    state: State


NAMES = State._fields
CREATE = "INSERT INTO node (id, uid, class, key, journal) VALUES (?, ?, ?, ?, ?)"
INSERT = f"""INSERT INTO node_version (node, n, known_from, opened_by, {", ".join(NAMES)})
  VALUES (?, ?, ?, ?{", ?" * len(NAMES)})"""
VERSION = f"node, n, known_from, known_to, opened_by, closed_by, {', '.join(NAMES)} FROM node_version"
HEADER = 6  # columns of VERSION before the state
CLOSED = {"status": Status, "importance": Importance, "source": Source, "claim": Claim, "kind": Kind,
          "volatility": Volatility}  # fmt: skip
WORDS = [(HEADER + NAMES.index(name), words) for name, words in CLOSED.items()]
MERGED = """SELECT node FROM node_version WHERE norm_name = :name AND entity_type IN (SELECT name FROM entity_type)
  AND (:type IS NULL OR entity_type = :type) AND known_to IS NULL AND merged_into IS NOT NULL
  AND retracted_at IS NULL ORDER BY node"""


def create(tx: Tx, entry: Entry, node_class: NodeClass, *, key: str | None = None, uid: bytes | None = None) -> NodeRow:
    """Insert a node; its first version follows, once its head is known. One of another mind keeps its uid."""
    row = NodeRow(tx.take(Table.NODE), uid or tx.ids.new(), node_class, key)
    tx.put(Table.NODE, CREATE, (row.id, row.uid, node_class, key, entry.waiting))
    return row


def open_first(tx: Tx, entry: Entry, node: NodeRow, state: State) -> None:
    """Write version 1 of a node just created."""
    tx.put(Table.VERSION, INSERT, (node.id, 1, entry.at, entry.waiting, *state))
    tx.waiting.folds.add(state.fold_hash)
    if state.attribute is not None:
        tx.waiting.values.add((state.slot_subject, state.attribute, state.value_norm))
        if state.functional != 0 or state.negated:
            tx.waiting.spelled.add((state.slot_subject, state.attribute))
    entry.touched.nodes.append([uid_text(node.uid), 1])


def open_next(tx: Tx, entry: Entry, node: NodeRow, state: State) -> VersionRow:
    """Close the open version and open the next with this state.

    A second change of the same node under one entry would make two versions at one time, so the entry's
    time moves on by a microsecond for it.
    """
    before = current(tx.sql, node.id)
    at = tx.tick(entry, after=before.known_from)
    tx.sql.execute(
        "UPDATE node_version SET known_to = ?, closed_by = ? WHERE node = ? AND known_to IS NULL",
        (at, entry.id, node.id),
    )
    tx.sql.execute(INSERT, (node.id, before.n + 1, at, entry.id, *state))
    entry.touched.nodes.append([uid_text(node.uid), before.n + 1])
    return before


def current(sql: Connection, node: int) -> VersionRow:
    """What is believed of a node now."""
    rows = sql.execute(f"SELECT {VERSION} WHERE node = ? AND known_to IS NULL", (node,)).fetchall()
    if not rows:
        raise BrokenInvariant(f"node {node} has no open version")
    return _version(rows[0])


def numbered(sql: Connection, node: int, n: int) -> VersionRow:
    """One version of a node by its number."""
    rows = sql.execute(f"SELECT {VERSION} WHERE node = ? AND n = ?", (node, n)).fetchall()
    if not rows:
        raise BrokenInvariant(f"node {node} has no version {n}")
    return _version(rows[0])


def versions(sql: Connection, node: int) -> list[VersionRow]:
    """All versions of a node, oldest first."""
    return [_version(r) for r in sql.execute(f"SELECT {VERSION} WHERE node = ? ORDER BY n", (node,))]


def by_uid(sql: Connection, uid: bytes) -> NodeRow | None:
    """Find a node by its uid."""
    return _one(sql.execute("SELECT id, uid, class, key FROM node WHERE uid = ?", (uid,)).fetchall())


def by_id(sql: Connection, node: int) -> NodeRow:
    """Fetch a node that is known to exist."""
    return _node(
        only(sql.execute("SELECT id, uid, class, key FROM node WHERE id = ?", (node,)).fetchall(), "node", node)
    )


def by_key(sql: Connection, key: str) -> NodeRow | None:
    """Find a conversation by the key its caller gave it."""
    return _one(sql.execute("SELECT id, uid, class, key FROM node WHERE key = ?", (key,)).fetchall())


def survivor(sql: Connection, node: NodeRow) -> NodeRow:
    """Follow merges to the node that carries on."""
    seen = {node.id}
    while (into := current(sql, node.id).state.merged_into) is not None and into not in seen:
        seen.add(into)
        node = by_id(sql, into)
    return node


def with_fold(sql: Connection, fold_hash: bytes) -> list[tuple[NodeRow, VersionRow]]:
    """The memories whose present text has this hash, oldest first."""
    rows = sql.execute(f"SELECT {VERSION} WHERE fold_hash = ? AND known_to IS NULL", (fold_hash,)).fetchall()
    return [
        (by_id(sql, r[0]), _version(r)) for r in sorted(rows, key=lambda r: r[0])
    ]  # a sorter costs more than the search


def with_value(sql: Connection, subject: str, attribute: str, value_norm: str) -> list[tuple[NodeRow, VersionRow]]:
    """The memories that fill a slot with this value now, oldest first."""
    rows = sql.execute(
        f"SELECT {VERSION} WHERE slot_subject = ? AND attribute = ? AND value_norm = ? AND known_to IS NULL",
        (subject, attribute, value_norm),
    ).fetchall()
    return [(by_id(sql, r[0]), _version(r)) for r in sorted(rows, key=lambda r: r[0])]


def entity_named(sql: Connection, entity_type: str, norm_name: str) -> tuple[NodeRow, VersionRow] | None:
    """The active entity of this identity, if there is one."""
    rows = sql.execute(
        f"""SELECT {VERSION} WHERE entity_type = ? AND norm_name = ? AND known_to IS NULL AND retracted_at IS NULL
            AND merged_into IS NULL AND status IN ('draft', 'active', 'canonical')""",
        (entity_type, norm_name),
    ).fetchall()
    return (by_id(sql, rows[0][0]), _version(rows[0])) if rows else None


def entity_known_as(sql: Connection, entity_type: str, norm_name: str) -> tuple[NodeRow, VersionRow] | None:
    """The active entity of this identity, or the one into which an entity of this identity was merged last."""
    found = entity_named(sql, entity_type, norm_name)
    if found is not None:
        return found
    merged = _merged_as(sql, norm_name, entity_type)
    return merged[-1] if merged else None


def _merged_as(sql: Connection, norm_name: str, entity_type: str | None = None) -> list[tuple[NodeRow, VersionRow]]:
    """The active entities to which those of a name lead that were merged, in the order they came."""
    rows = sql.execute(MERGED, {"name": norm_name, "type": entity_type}).fetchall()
    stay = [survivor(sql, by_id(sql, node)) for (node,) in rows]
    found = [(node, current(sql, node.id)) for node in {node.id: node for node in stay}.values()]
    return [(n, v) for n, v in found if v.state.retracted_at is None and v.state.status in CURRENT_STATUSES]


def entities_called(sql: Connection, norm_name: str) -> list[tuple[NodeRow, VersionRow]]:
    """The active entities of any type with exactly this normalised name, oldest first, or those it was merged into."""
    rows = sql.execute(
        f"""SELECT {VERSION} WHERE norm_name = ? AND entity_type IN (SELECT name FROM entity_type) AND known_to IS NULL
            AND retracted_at IS NULL AND merged_into IS NULL AND status IN ('draft', 'active', 'canonical')""",
        (norm_name,),
    ).fetchall()
    named = [(by_id(sql, r[0]), _version(r)) for r in sorted(rows, key=lambda r: r[0])]
    return named or _merged_as(sql, norm_name)


def entity_types(sql: Connection) -> list[str]:
    """The registry of entity types."""
    return [name for (name,) in sql.execute("SELECT name FROM entity_type WHERE withdrawn = 0 ORDER BY name")]


def _one(rows: list[Row]) -> NodeRow | None:
    return _node(rows[0]) if rows else None


def _node(row: Row) -> NodeRow:
    return NodeRow(row[0], row[1], NodeClass(row[2]), row[3])


def _version(row: Row) -> VersionRow:
    values: list[Any] = list(row)
    for place, words in WORDS:
        if values[place] is not None:
            values[place] = words(values[place])
    values[HEADER:] = [State._make(values[HEADER:])]
    return VersionRow(*values)
