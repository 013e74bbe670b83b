"""Edges of another mind, between what both of their ends are here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.harvest.taken_nodes import VERB, reasons_of
from noosphere.store import edges, evidence, frames

if TYPE_CHECKING:
    from noosphere.harvest.taking_in import Taking
    from noosphere.store.connection import Connection
    from noosphere.store.edges import EdgeRow
    from noosphere.store.transaction import Tx


def take_edge(taking: Taking, tx: Tx, there: Connection, edge: EdgeRow) -> None:
    """Draw an edge that stands in the other mind, unless it stands here or was retired here."""
    src, dst = taking.here.get(edge.src), taking.here.get(edge.dst)
    if src is None or dst is None or edge.derived:  # slots derive theirs themselves
        return
    ends = [_part(tx, there, frame) for frame in (edge.src_frame, edge.dst_frame)]
    if None in ends or (src.id == dst.id and ends[0] == ends[1]):
        return
    new = edges.NewEdge(
        src=src.id,
        dst=dst.id,
        type=edge.type,
        weight=edge.weight,
        provenance=edges.Provenance(edge.provenance),
        claim=edges.Claim(edge.claim),
        src_frame=ends[0] or None,
        dst_frame=ends[1] or None,
        valid_from=edge.valid_from,
        valid_to=edge.valid_to,
        uid=edge.uid,
    )
    if edges.between(tx.sql, new) is not None:
        taking.counts["known"] += 1
        return
    if edges.was(tx.sql, edge.uid):
        taking.counts["forgotten"] += 1
        return
    entry = tx.open(VERB)
    edges.insert(tx, entry, new)
    evidence.add_first(tx, entry, edge.uid, *reasons_of(taking, tx, there, edge.uid))
    tx.close(entry, edge.uid)
    taking.counts["edges"] += 1


def _part(tx: Tx, there: Connection, frame: int | None) -> int | None:
    """What the turn that anchors an end is here: 0 when none does, None when it is not here."""
    if frame is None:
        return 0
    found = frames.by_uid(tx.sql, frames.by_id(there, frame).uid)
    return None if found is None else found.id
