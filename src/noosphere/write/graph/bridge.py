"""The bridge: edges from a memory to what it mentions, and between what it names, with its frame as evidence."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from noosphere.model.edge import EdgeType
from noosphere.model.vocabulary import Claim, Provenance
from noosphere.store import edges, evidence, graph_edges
from noosphere.store.evidence import Reason

if TYPE_CHECKING:
    from noosphere.graph.ontology import Ontology
    from noosphere.graph.said import Said
    from noosphere.store.nodes import NodeRow
    from noosphere.store.transaction import Entry, Tx

TOGETHER = 0.8  # weight of standing in one sentence
HUB = 32  # co-occurrences of one entity: one that stands beside everything tells nothing by it
SPEAKS_OF = 1.0


def tie_names(
    tx: Tx,
    entry: Entry,
    memory: NodeRow,
    frame: bytes,
    said: Said,
    found: dict[str, NodeRow],
    rules: Ontology,
    broken: list[str],
) -> None:
    """Tie a memory to the entities that it names, and these to each other as it says.

    Args:
        tx: the write transaction.
        entry: the memory's own entry, so that undoing it unties all this.
        memory: the memory.
        frame: the uid of the frame that says so.
        said: what it says.
        found: the entities of its names.
        rules: the ontology in force.
        broken: takes the rules that relations broke.
    """
    reason = Reason(frame=frame)
    for node in {node.id: node for node in found.values()}.values():
        _tie(tx, entry, memory, EdgeType.MENTIONS, node, SPEAKS_OF, reason)
    types = graph_edges.types_of(tx.sql, [node.id for node in found.values()]) if said.relations else {}
    for told in said.relations:
        src, dst = found.get(told.src), found.get(told.dst)
        relation = rules.relations.get(told.type)
        if src is None or dst is None or src.id == dst.id or relation is None:
            continue
        if (rule := relation.forbids(types[src.id], types[dst.id])) is not None:
            broken.append(f"{told.src} {told.type} {told.dst}: {rule}")
            continue
        _tie(tx, entry, src, told.type, dst, told.weight, reason, again=True)
    for one, other in said.together:
        a, b = found.get(one), found.get(other)
        if a is not None and b is not None and a.id != b.id:
            _beside(tx, entry, a, b, reason)


def loosen(tx: Tx, entry: Entry, memory: NodeRow) -> None:
    """Retire the inferred edges that rest on a memory's frames alone, and its mentions."""
    for edge in graph_edges.resting_on(tx.sql, memory.id):
        edges.retire(tx, entry, edge)


def _beside(tx: Tx, entry: Entry, a: NodeRow, b: NodeRow, reason: Reason) -> None:
    src, dst = (a, b) if a.uid < b.uid else (b, a)
    if graph_edges.joined(tx.sql, a.id, b.id):
        return
    if all(graph_edges.count(tx.sql, one.id, EdgeType.CO_OCCURS_WITH, TOGETHER) < HUB for one in (a, b)):
        _tie(tx, entry, src, EdgeType.CO_OCCURS_WITH, dst, TOGETHER, reason)


def _tie(
    tx: Tx, entry: Entry, src: NodeRow, type_: str, dst: NodeRow, weight: float, reason: Reason, *, again: bool = False
) -> None:
    """Set an edge; one that stands gets the reason too when it is said `again`, and keeps the larger weight."""
    new = edges.NewEdge(
        src=src.id, dst=dst.id, type=type_, weight=weight, provenance=Provenance.INFERRED, claim=Claim.INFERRED
    )
    standing = edges.between(tx.sql, new)
    if standing is None:
        evidence.add_first(tx, entry, edges.insert(tx, entry, new).uid, reason)
    elif again:
        if standing.inferred and standing.weight < weight:
            edges.retire(tx, entry, standing.id)
            edges.insert(tx, entry, replace(new, uid=standing.uid))
        evidence.add(tx, entry, standing.uid, reason)
