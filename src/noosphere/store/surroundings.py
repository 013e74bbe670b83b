"""The edges at a node by weight, and what a node was at a moment: what walking over edges asks, once for each node."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from noosphere.model.vocabulary import NodeClass, Status
from noosphere.model.when import FOREVER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.model.query import View
    from noosphere.store.connection import Connection, Row


class Way(NamedTuple):
    """An edge seen from one of its ends: `here` anchors it in a turn at this end, `there` at the other."""

    edge: int
    weight: float
    here: int | None
    node: int
    there: int | None
    outward: bool


class Standing(NamedTuple):
    """A node's state at a moment; `holds_to` is FOREVER while no end is known."""

    node_class: NodeClass
    head: int | None
    status: Status
    gone: bool
    holds_from: int | None
    holds_to: int


GLANCE = 16  # edges of one direction: most nodes show enough of them
LOOKED_AT = 256  # edges of one direction: a node whose heaviest all lead to the past must not cost a scan of the rest
_WAYS = """SELECT -weight, {there}, id, {here}_frame, {there}_frame, {outward} FROM edge
  WHERE {here} = :node AND {known} AND (:past OR ((valid_from IS NULL OR valid_from <= :at)
    AND (valid_to IS NULL OR valid_to > :at))) ORDER BY weight DESC, {there} LIMIT :limit"""
_NOW, _THEN = "known_to IS NULL", "known_from <= :known AND (known_to IS NULL OR known_to > :known)"
_ENDS = ({"here": "src", "there": "dst", "outward": 1}, {"here": "dst", "there": "src", "outward": 0})
WAYS_NOW = [_WAYS.format(known=_NOW, **ends) for ends in _ENDS]
WAYS_THEN = [_WAYS.format(known=_THEN, **ends) for ends in _ENDS]
# Look-ups by key cost a third of one statement that joins them.
VERSION = """SELECT head, status, retracted_at, merged_into, valid_from, stated_to, attribute,
  CASE WHEN entity_type IS NULL THEN (SELECT class FROM node WHERE id = node) ELSE 'entity' END
  FROM node_version WHERE node = ? AND """
OPEN = VERSION + "known_to IS NULL"
THEN = VERSION.replace("?", "?1") + "known_from <= ?2 AND (known_to IS NULL OR known_to > ?2)"
SPELL = "SELECT holds_from, holds_to FROM spell WHERE node = ?"
CLASSES = {word.value: word for word in NodeClass}  # a look-up costs a fifth of an enum's constructor
STATUSES = {word.value: word for word in Status}


def ways(sql: Connection, node: int, view: View) -> Iterator[Way]:
    """The edges at a node that hold in a view, the heaviest first, at most LOOKED_AT of each direction."""
    values: dict[str, object] = {"node": node, "at": view.at, "past": view.include_past}
    queries = WAYS_NOW
    if view.known_at is not None:
        values["known"], queries = view.known_at, WAYS_THEN
    first = _rows(sql, queries, values | {"limit": GLANCE})
    yield from map(_way, first[:GLANCE])
    if len(first) >= GLANCE:
        yield from map(_way, _rows(sql, queries, values | {"limit": LOOKED_AT})[GLANCE:])


def _rows(sql: Connection, queries: list[str], values: dict[str, object]) -> list[Row]:
    """Both directions in one order; of those that come first, as many as the limit are the heaviest of all."""
    rows = [row for query in queries for row in sql.execute(query, values)]
    rows.sort()  # by weight, node and id, which are their first columns: no key to make, and no two are alike
    return rows


def _way(row: Row) -> Way:
    lightness, node, edge, here, there, outward = row
    return Way(edge, -lightness, here, node, there, outward)


def standing(sql: Connection, node: int, view: View) -> Standing | None:
    """What a node is in a view's knowledge; None when it was not known then."""
    open_now = sql.execute(OPEN, (node,)).fetchall()[0]
    row = open_now
    if view.known_at is not None:
        rows = sql.execute(THEN, (node, view.known_at)).fetchall()
        if not rows:
            return None
        row = rows[0]
    head, status, retracted, _, start, end, _, node_class = row
    if open_now[6] is not None and (spells := sql.execute(SPELL, (node,)).fetchall()):
        start, end = spells[0]
    gone = retracted is not None or open_now[2] is not None or open_now[3] is not None
    return Standing(CLASSES[node_class], head, STATUSES[status], gone, start, FOREVER if end is None else end)


class Told(NamedTuple):
    """What is told of a crossed edge: uids of its ends (the turn's, where it is anchored in one), and who set it."""

    uid: bytes
    src: bytes
    type: str
    dst: bytes
    weight: float
    provenance: str
    claim: str
    actor: str
    evidence: int


TOLD = """SELECT e.uid, coalesce(sf.uid, s.uid), e.type, coalesce(df.uid, d.uid), e.weight, e.provenance, e.claim,
    j.actor, (SELECT count(*) FROM evidence AS r WHERE r.target = e.uid AND r.retracted_by IS NULL)
  FROM edge AS e JOIN node AS s ON s.id = e.src JOIN node AS d ON d.id = e.dst JOIN journal AS j ON j.id = e.opened_by
    LEFT JOIN frame AS sf ON sf.id = e.src_frame LEFT JOIN frame AS df ON df.id = e.dst_frame
  WHERE e.id = ?"""


def told(sql: Connection, edge: int) -> Told:
    """What is told of an edge that is known to exist."""
    return Told(*sql.execute(TOLD, (edge,)).fetchall()[0])
