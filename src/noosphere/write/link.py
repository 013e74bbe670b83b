"""link and unlink: edges between nodes, guarded by the gates of the registry."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from noosphere.errors import InvalidInput, NotFound
from noosphere.ids import parse_uid, uid_text
from noosphere.model.argument import read_share
from noosphere.model.edge import SYMMETRIC, EdgeType, End, gate
from noosphere.model.outcome import Linked, Reason, Refused, Unlinked
from noosphere.model.vocabulary import Claim, Kind, NodeClass, Provenance, word
from noosphere.model.when import read_time
from noosphere.store import edges, nodes
from noosphere.store import evidence as reasons_of
from noosphere.write.parse import read_evidence
from noosphere.write.target import find, forgotten

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import tzinfo

    from noosphere.store.connection import Connection
    from noosphere.store.edges import NewEdge
    from noosphere.store.mind_file import MindFile
    from noosphere.store.transaction import Entry, Tx
    from noosphere.write.target import Target


OPTIONS = ("weight", "provenance", "claim", "evidence", "valid_from", "valid_to")


def link(
    mind: MindFile,
    src: str,
    type: str,
    dst: str,
    *,
    weight: float = 1.0,
    provenance: str = Provenance.EXPLICIT,
    claim: str | None = None,
    evidence: Any = None,
    valid_from: Any = None,
    valid_to: Any = None,
) -> Linked | Refused:
    """Set an edge from one node or turn to another; a turn anchors it in its conversation.

    Raises:
        InvalidInput: an unknown type, or a weight outside 0..1.
        NotFound: nothing has one of the ids.
    """
    about = read_about(
        mind.zone, weight=weight, provenance=provenance, claim=claim, valid_from=valid_from, valid_to=valid_to
    )
    reasons = read_evidence(evidence)
    with mind.write() as tx:
        if type not in edges.types(tx.sql):
            raise InvalidInput.choice("type", type, edges.types(tx.sql))
        return join(tx, type, find(tx.sql, src), find(tx.sql, dst), about, reasons)


def read_about(
    zone: tzinfo,
    *,
    weight: float = 1.0,
    provenance: str = Provenance.EXPLICIT,
    claim: str | None = None,
    valid_from: Any = None,
    valid_to: Any = None,
) -> dict[str, Any]:
    """Check what is said of an edge.

    Raises:
        InvalidInput: a weight outside 0..1, an unknown word, or a malformed time.
    """
    heavy = read_share(weight, "weight")
    start, end = read_time(valid_from, "valid_from", zone), read_time(valid_to, "valid_to", zone)
    if start and end and end.start <= start.start:
        raise InvalidInput("valid_to", "lies before valid_from", "Give an end later than the start")
    return {
        "weight": 1.0 if heavy is None else heavy,
        "provenance": word(Provenance, provenance, "provenance") or Provenance.EXPLICIT,
        "claim": word(Claim, claim, "claim") or Claim.UNKNOWN,
        "valid_from": start.start if start else None,
        "valid_to": end.start if end else None,
    }


def join(
    tx: Tx,
    type: str,
    src: Target,
    dst: Target,
    about: Mapping[str, Any],
    reasons: tuple[reasons_of.Reason, ...],
    *,
    entry: Entry | None = None,
) -> Linked | Refused:
    """Set an edge of a known type, under an entry that is open or one of its own, if the gates allow it."""
    if (refused := _refusal(tx.sql, type, src, dst)) is not None:
        return refused
    a, b = _directed(type, src, dst)
    new = edges.NewEdge(
        src=a.node.id,
        dst=b.node.id,
        src_frame=a.part.id if a.part else None,
        dst_frame=b.part.id if b.part else None,
        type=type,
        **about,
    )
    return _write(tx, new, reasons, entry)


def unlink(mind: MindFile, edge: str) -> Unlinked:
    """Retire an edge; its past stays.

    Raises:
        NotFound: no standing edge has this id.
    """
    with mind.write() as tx:
        standing = edges.standing(tx.sql, parse_uid(edge, "edge"))
        if standing is None:
            raise NotFound("edge", edge, "Take an edge's id from link() or connections")
        entry = tx.open("unlink")
        edges.retire(tx, entry, standing.id)
        journal = tx.close(entry, standing.uid)
    return Unlinked(edge=uid_text(standing.uid), journal=journal)


def _refusal(sql: Connection, type: str, src: Target, dst: Target) -> Refused | None:
    for target in (src, dst):
        if (refused := forgotten(sql, target)) is not None:
            return refused
    if src.node.id == dst.node.id and src.part == dst.part:
        return Refused(reason=Reason.GATE, message="an edge needs two different ends")
    broken = gate(EdgeType(type), _end(sql, src), _end(sql, dst)) if type in set(EdgeType) else None
    return None if broken is None else Refused(reason=Reason.GATE, message=broken)


def _end(sql: Connection, target: Target) -> End:
    state = nodes.current(sql, target.node.id).state
    episodic = target.node.node_class is NodeClass.CONVERSATION
    return End(target.node.node_class, Kind.EPISODIC if episodic else state.kind, state.entity_type)


def _directed(type: str, src: Target, dst: Target) -> tuple[Target, Target]:
    """The ends in the order they are kept; a symmetric edge runs from the smaller uid to the larger."""
    if type not in SYMMETRIC:
        return src, dst
    a, b = sorted((src, dst), key=lambda t: (t.node.uid, t.part.uid if t.part else b""))
    return a, b


def _write(tx: Tx, new: NewEdge, reasons: tuple[reasons_of.Reason, ...], entry: Entry | None) -> Linked:
    """Open the edge; where it stands already, the larger weight stays and the evidence is added."""
    standing = edges.between(tx.sql, new)
    if standing is not None and new.weight <= standing.weight and not reasons and entry is None:
        return Linked(edge=uid_text(standing.uid), journal=edges.journal_of(tx.sql, standing), existing=True)
    entry = entry or tx.open("link")
    edge = standing
    if edge is None:
        edge = edges.insert(tx, entry, new)
    elif new.weight > edge.weight:
        edges.retire(tx, entry, edge.id)
        edge = edges.insert(tx, entry, replace(new, uid=edge.uid))
    for reason in reasons:
        reasons_of.add(tx, entry, edge.uid, reason)
    journal = tx.close(entry, edge.uid)
    return Linked(edge=uid_text(edge.uid), journal=journal, existing=standing is not None)
