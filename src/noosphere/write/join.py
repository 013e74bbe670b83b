"""Joining entities: the edges, evidence, tags and counts of one go to another, and its id leads there; undoable."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from noosphere.model.edge import SYMMETRIC
from noosphere.store import edges, evidence, frames, nodes, tags, usage
from noosphere.store.evidence import Reason
from noosphere.write.apply import apply

if TYPE_CHECKING:
    from noosphere.store.edges import EdgeRow, NewEdge
    from noosphere.store.nodes import NodeRow
    from noosphere.store.transaction import Entry, Tx


def join(tx: Tx, entry: Entry, node: NodeRow, into: NodeRow) -> None:
    """Merge one entity into another of any name; where both say something of a property, the one that stays holds."""
    state, stays = nodes.current(tx.sql, node.id).state, nodes.current(tx.sql, into.id).state
    for edge in edges.of_node(tx.sql, node.id):
        _repoint(tx, entry, edge, node, into)
    add_reasons(tx, entry, node.uid, into.uid)
    tags.add(tx, entry, into, tags.of_node(tx.sql, node.id))
    usage.move_seen(tx, entry, node, into, usage.of_node(tx.sql, node.id)[3])
    apply(tx, entry, node, state._replace(merged_into=into.id))
    known = json.loads(stays.properties or "{}")
    both = {**json.loads(state.properties or "{}"), **known}
    if both != known:
        written = json.dumps(both, ensure_ascii=False, sort_keys=True)
        apply(tx, entry, into, stays._replace(properties=written))


def add_reasons(tx: Tx, entry: Entry, source: bytes, target: bytes) -> None:
    """Give one thing the evidence of another, too."""
    own = evidence.of(tx.sql, source)
    reasons = (Reason(frame=r.frame, mind=r.mind, source_id=r.source_id, uri=r.uri, at=r.at) for r in own)
    evidence.add(tx, entry, target, *reasons)


def _repoint(tx: Tx, entry: Entry, edge: EdgeRow, node: NodeRow, into: NodeRow) -> None:
    """Move an edge's end; it keeps its id. Beside one that stands there, the larger weight stays, and all evidence."""
    edges.retire(tx, entry, edge.id)
    new = _ends_moved(tx, edges.again(edge), node, into)
    if (new.src, new.src_frame) == (new.dst, new.dst_frame):
        return
    standing = edges.between(tx.sql, new)
    if standing is None:
        edges.insert(tx, entry, new)
        return
    add_reasons(tx, entry, edge.uid, standing.uid)
    if new.weight > standing.weight:
        edges.retire(tx, entry, standing.id)
        edges.insert(tx, entry, replace(edges.again(standing), weight=new.weight))


def _ends_moved(tx: Tx, edge: NewEdge, node: NodeRow, into: NodeRow) -> NewEdge:
    src, dst = (into.id if end == node.id else end for end in (edge.src, edge.dst))
    new = replace(edge, src=src, dst=dst)
    if edge.type not in SYMMETRIC or _key(tx, src, edge.src_frame) <= _key(tx, dst, edge.dst_frame):
        return new
    return replace(new, src=dst, dst=src, src_frame=edge.dst_frame, dst_frame=edge.src_frame)


def _key(tx: Tx, node: int, frame: int | None) -> tuple[bytes, bytes]:
    """The order in which a symmetric edge keeps its ends: by uid."""
    uid = b"" if frame is None else frames.by_id(tx.sql, frame).uid
    return nodes.by_id(tx.sql, node).uid, uid
