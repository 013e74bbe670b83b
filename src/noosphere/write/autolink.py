"""Auto-link: a memory that was just embedded is joined to the nearest others, and links its words outgrew go.

It runs after the commit, over vectors that are there anyway; without an embedder nothing is linked. Links are inferred,
weigh as much as the two are alike, and are journalled; where somebody parted two memories they stay parted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.model.edge import EdgeType
from noosphere.model.vocabulary import Claim, NodeClass, Provenance
from noosphere.records import dataclass
from noosphere.store import autolinks, edges, evidence, frames, nodes, vectors
from noosphere.store.evidence import Reason
from noosphere.store.fulltext import Era
from noosphere.write.identity import is_current

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.store.nodes import NodeRow
    from noosphere.store.transaction import Entry, Tx
    from noosphere.store.vectors import SpaceRow

LEAST = 0.78  # cosine (seed)
MOST = 3  # links drawn from one memory (seed)
LOOKED_AT = 24  # nearest units, of which turns and what is past are passed over


@dataclass(frozen=True, slots=True)
class Near:
    """A memory that is near another: its node, the head that was compared, and the cosine."""

    node: int
    head: int
    weight: float


def autolink(mind: MindFile, pair: dict[Era, SpaceRow], made: Iterable[int]) -> None:
    """Link the memories among units that were just embedded in the space that recall asks."""
    if not mind.autolink or pair[Era.NOW].name != mind.facts().active_space:
        return
    for frame in sorted(made):
        with mind.read() as sql:
            node = _memory(sql, frame)
            near = [] if node is None else _nearest(mind, sql, pair[Era.NOW], node, frame)
            outgrown = [] if node is None else _outgrown(sql, pair[Era.NOW], node, frame)
        if node is not None and (near or outgrown):
            with mind.write() as tx:
                _draw(tx, node, frame, near, outgrown)


def _nearest(mind: MindFile, sql: Connection, space: SpaceRow, node: NodeRow, frame: int) -> list[Near]:
    """The nearest other memories, at most MOST; those that stand linked already or were parted take a place too."""
    vector = vectors.vector_of(sql, space, frame)
    if vector is None or not vector.any():
        return []
    found: list[Near] = []
    for unit in mind.index(space).search(sql, vector, LOOKED_AT):
        if unit.score < LEAST or len(found) == MOST:
            break
        other = _memory(sql, unit.frame)
        if other is not None and other.id != node.id:
            found.append(Near(other.id, unit.frame, min(1.0, round(unit.score, 3))))
    return [near for near in found if not autolinks.are_joined_or_parted(sql, node.id, near.node)]


def _outgrown(sql: Connection, space: SpaceRow, node: NodeRow, frame: int) -> list[int]:
    """Links drawn for earlier words of a memory that its present words do not bear out."""
    drawn = autolinks.drawn(sql, node.id)
    vector = vectors.vector_of(sql, space, frame) if drawn else None
    if vector is None:
        return []
    heads = {other: nodes.current(sql, other).state.head_frame for _, other in drawn}
    alike = vectors.cosines(sql, space.id, heads.values(), vector)
    return [edge for edge, other in drawn if alike.get(heads[other], LEAST) < LEAST]


def _memory(sql: Connection, frame: int) -> NodeRow | None:
    """The memory in use whose present head a unit is."""
    node = nodes.by_id(sql, frames.by_id(sql, frame).node)
    if node.node_class is not NodeClass.MEMORY:
        return None
    state = nodes.current(sql, node.id).state
    return node if state.head == frame and state.retracted_at is None and state.merged_into is None else None


def _draw(tx: Tx, node: NodeRow, frame: int, near: list[Near], outgrown: list[int]) -> None:
    if not _stands(tx, node.id, frame):
        return
    entry = tx.open("autolink")
    for number in outgrown:
        if edges.by_id(tx.sql, number).known_to is None:
            edges.retire(tx, entry, number)
    for other in near:
        if _stands(tx, other.node, other.head):
            _link(tx, entry, node, other, frame)
    if entry.touched.edges:
        tx.close(entry, node.uid)
    else:
        tx.abandon(entry)


def _stands(tx: Tx, node: int, head: int) -> bool:
    version = nodes.current(tx.sql, node)
    return version.state.head == head and is_current(tx.sql, version, tx.now)


def _link(tx: Tx, entry: Entry, node: NodeRow, near: Near, frame: int) -> None:
    src, dst = sorted((node, nodes.by_id(tx.sql, near.node)), key=lambda one: one.uid)
    new = edges.NewEdge(
        src=src.id,
        dst=dst.id,
        type=EdgeType.RELATES_TO,
        weight=near.weight,
        provenance=Provenance.INFERRED,
        claim=Claim.INFERRED,
    )
    if edges.between(tx.sql, new) is None:
        edge = edges.insert(tx, entry, new)
        evidence.add(tx, entry, edge.uid, Reason(frame=frames.by_id(tx.sql, frame).uid))
