"""What a model says of a memory's names, tied by the seams of the rules: noise, identity, ontology, evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.graph.rules import rules_of
from noosphere.ids import parse_uid
from noosphere.store import frames, nodes
from noosphere.write.graph.bridge import tie_names
from noosphere.write.graph.entities import entities_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from noosphere.graph.said import Said
    from noosphere.store.mind_file import MindFile


def tie_pointed(mind: MindFile, told: Mapping[str, Said], broken: list[str]) -> None:
    """Tie memories, by id, to what a model says that they name; one that holds a secret or an attack names nothing.

    Args:
        mind: the open file.
        told: what each says of the graph.
        broken: takes the rules that names and relations broke.
    """
    with mind.write() as tx:
        rules = rules_of(tx.sql)
        for uid, said in told.items():
            memory = nodes.by_uid(tx.sql, parse_uid(uid))
            state = None if memory is None else nodes.current(tx.sql, memory.id).state
            if memory is None or state is None or state.head is None or state.secret or state.suspect is not None:
                continue
            entry = tx.open("name")
            found = entities_of(tx, entry, said, rules, broken)
            tie_names(tx, entry, memory, frames.by_id(tx.sql, state.head).uid, said, found, rules, broken)
            if entry.touched.written:
                tx.close(entry, memory.uid)
            else:
                tx.abandon(entry)
