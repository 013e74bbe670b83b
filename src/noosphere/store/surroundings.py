"""The edges at a node by weight, and what a node was at a moment: what walking over edges asks, once for each node."""

from __future__ import annotations

from heapq import merge
from typing import TYPE_CHECKING, NamedTuple

from noosphere.model.vocabulary import NodeClass, Status
from noosphere.model.when import FOREVER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.model.query import View
    from noosphere.store.connection import Connection


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


LOOKED_AT = 256  # edges of one direction: a node whose heaviest all lead to the past must not cost a scan of the rest
_WAYS = """SELECT id, weight, {here}_frame, {there}, {there}_frame, {outward} FROM edge
  WHERE {here} = :node AND {known} AND (:past OR ((valid_from IS NULL OR valid_from <= :at)
    AND (valid_to IS NULL OR valid_to > :at))) ORDER BY weight DESC, {there}, id LIMIT :limit"""
_NOW, _THEN = "known_to IS NULL", "known_from <= :known AND (known_to IS NULL OR known_to > :known)"
_ENDS = ({"here": "src", "there": "dst", "outward": 1}, {"here": "dst", "there": "src", "outward": 0})
WAYS_NOW = [_WAYS.format(known=_NOW, **ends) for ends in _ENDS]
WAYS_THEN = [_WAYS.format(known=_THEN, **ends) for ends in _ENDS]
STANDING = """SELECT n.class, {v}.head, {v}.status,
    c.retracted_at IS NOT NULL OR {v}.retracted_at IS NOT NULL OR c.merged_into IS NOT NULL,
    coalesce(s.holds_from, {v}.valid_from), coalesce(s.holds_to, {v}.stated_to)
  FROM node AS n JOIN node_version AS c ON c.node = n.id AND c.known_to IS NULL {version}
    LEFT JOIN spell AS s ON s.node = n.id WHERE n.id = :node"""
STANDING_NOW = STANDING.format(v="c", version="")
STANDING_THEN = STANDING.format(
    v="v",
    version="JOIN node_version AS v ON v.node = n.id AND v.known_from <= :known"
    " AND (v.known_to IS NULL OR v.known_to > :known)",
)


def ways(sql: Connection, node: int, view: View) -> Iterator[Way]:
    """The edges at a node that hold in a view, the heaviest first, at most LOOKED_AT of each direction."""
    values = {"node": node, "at": view.at, "past": view.include_past, "limit": LOOKED_AT}
    queries = WAYS_NOW
    if view.known_at is not None:
        values, queries = values | {"known": view.known_at}, WAYS_THEN
    sides = ((Way(*row) for row in sql.execute(query, values)) for query in queries)
    return merge(*sides, key=lambda way: (-way.weight, way.node, way.edge))


def standing(sql: Connection, node: int, view: View) -> Standing | None:
    """What a node is in a view's knowledge; None when it was not known then."""
    if view.known_at is None:
        rows = sql.execute(STANDING_NOW, {"node": node}).fetchall()
    else:
        rows = sql.execute(STANDING_THEN, {"node": node, "known": view.known_at}).fetchall()
    if not rows:
        return None
    node_class, head, status, gone, start, end = rows[0]
    return Standing(NodeClass(node_class), head, Status(status), bool(gone), start, FOREVER if end is None else end)


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
