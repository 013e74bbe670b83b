"""take_in: what an export of another mind holds comes into this one, under its own ids; a second time adds nothing.

What both have stays one: the same id, a memory that says the same, an entity of the same type and name, a turn of the
same key and words. Where the two say different things of one, this mind's word stays and the difference is listed; a
memory that the other mind only revised further is revised here. What was forgotten or purged here stays out.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput, shown
from noosphere.harvest.taken_apart import take_apart
from noosphere.harvest.taken_edges import take_edge
from noosphere.harvest.taken_nodes import VERB, take_entity, take_memory
from noosphere.harvest.taken_talks import take_talk
from noosphere.model.vocabulary import Channel, NodeClass
from noosphere.store import edges, ontology, portable
from noosphere.store.failures import on_disk
from noosphere.store.mind_file import MindFile, Opening

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.nodes import NodeRow

TOGETHER = 500  # things in one transaction
ORDER = (NodeClass.ENTITY, NodeClass.CONVERSATION, NodeClass.MEMORY)  # memories name turns as their evidence
LEFT = ("harvest_sources", "harvest_items")  # places of another machine; what came from them is known by its own keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Something of which the two minds say different things; this mind's word stays.

    Attributes:
        id: of what it is about, here.
        about: what differs: text, a property, the value of a slot, the rule of a type.
        here, there: what each says.
    """

    id: str | None
    about: str
    here: str
    there: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenIn:
    """What came in from another mind.

    Attributes:
        mind: the other mind's UUID.
        entities, memories, conversations, turns, edges: that are new.
        known: things that were here already.
        revised: memories that the other mind had revised further.
        forgotten: things that were forgotten here, and stay so.
        apart: what stands beside the graph and is new, counted by name: identity, awareness, procedures, what waits for
            review, and the like.
        differences: what the two say differently.
        left: what stays there, counted by name: its sources, and what looks like an attack.
    """

    mind: str
    entities: int
    memories: int
    conversations: int
    turns: int
    edges: int
    known: int
    revised: int
    forgotten: int
    apart: dict[str, int]
    differences: tuple[Difference, ...]
    left: dict[str, int]


@dataclass(slots=True)
class Taking:
    """What one taking in has done so far; `here` tells what a node of the other mind is in this one."""

    mind: MindFile
    other: MindFile
    counts: Counter[str] = field(default_factory=Counter[str])
    apart: Counter[str] = field(default_factory=Counter[str])
    left: Counter[str] = field(default_factory=Counter[str])
    differences: list[Difference] = field(default_factory=list[Difference])
    here: dict[int, NodeRow] = field(default_factory=dict[int, "NodeRow"])

    def differ(self, id: str | None, about: str, here: object, there: object) -> None:
        """Note a difference."""
        self.differences.append(Difference(id=id, about=about, here=str(here), there=str(there)))


def take_in(mind: MindFile, source: Path) -> TakenIn:
    """Take an export of another mind, or of an older state of this one, into this mind.

    Raises:
        InvalidInput: there is nothing at the path.
        StorageError: it is no whole export, or cannot be read.
        ReadOnlyMind: this mind may not be written.
    """
    with on_disk(source):
        if not source.is_file():
            problem = f"there is no file {shown(str(source))}"
            raise InvalidInput("export", problem, "Give the lines of JSON that `export` wrote")
    with tempfile.TemporaryDirectory(prefix=".taking-in-", dir=mind.path.parent) as folder:
        copy = Path(folder) / "other.db"
        portable.load(source, copy, mind.clock, mind.ids, mind.db.key)
        other = MindFile(copy, mind.clock, mind.ids, mind.author, Opening(create=False, key=mind.db.key))
        try:
            return _take(Taking(mind, other))
        finally:
            other.close()


def _take(taking: Taking) -> TakenIn:
    with taking.other.read() as there:
        _types(taking, there)
        living = list(portable.living(there))
        for of in ORDER:
            wanted = [node for node in living if node.node_class is of]
            for start in range(0, len(wanted), TOGETHER):
                with taking.mind.together(rows=TOGETHER, channel=Channel.IMPORT):
                    for node in wanted[start : start + TOGETHER]:
                        _node(taking, there, node)
        _edges(taking, there, living)
        with taking.mind.together(rows=TOGETHER, channel=Channel.IMPORT) as tx:
            take_apart(taking, tx, there)
        taking.left.update({table: count for table in LEFT if (count := portable.count(there, table))})
    counts = taking.counts
    names = ("entities", "memories", "conversations", "turns", "edges", "known", "revised", "forgotten")
    return TakenIn(
        mind=taking.other.mind,
        **{name: counts[name] for name in names},
        apart=dict(taking.apart),
        differences=tuple(taking.differences),
        left=dict(taking.left),
    )


def _node(taking: Taking, there: Connection, node: NodeRow) -> None:
    match node.node_class:
        case NodeClass.ENTITY:
            take_entity(taking, there, node)
        case NodeClass.CONVERSATION:
            take_talk(taking, there, node)
        case NodeClass.MEMORY:
            take_memory(taking, there, node)


def _types(taking: Taking, there: Connection) -> None:
    """Types of entities and relations that only the other mind has, with what it says of them."""
    with taking.mind.together(rows=1, channel=Channel.IMPORT) as tx:
        entry = tx.open(VERB)
        rules = zip(ontology.REGISTRIES, ontology.own_rules(tx.sql), ontology.own_rules(there), strict=True)
        for registry, ours, others in rules:
            for name, rule in others.items():
                if name not in ours:
                    ontology.set_rule(tx, entry, registry, name, rule)
                elif ours[name] != rule:
                    taking.differ(None, f"rule of {name}", ours[name], rule)
        if entry.touched.rules:
            tx.close(entry)
        else:
            tx.abandon(entry)


def _edges(taking: Taking, there: Connection, living: list[NodeRow]) -> None:
    standing = [edge for node in living for edge in edges.of_node(there, node.id) if edge.src == node.id]
    for start in range(0, len(standing), TOGETHER):
        with taking.mind.together(rows=TOGETHER, channel=Channel.IMPORT) as tx:
            for edge in standing[start : start + TOGETHER]:
                take_edge(taking, tx, there, edge)
