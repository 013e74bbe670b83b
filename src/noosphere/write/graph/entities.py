"""entities_of: the one seam where names become entities; noise is taken out here, and identity is exact."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from noosphere.graph.names import noise
from noosphere.model.vocabulary import Claim, NodeClass, Source
from noosphere.store import listing, nodes, usage
from noosphere.store.nodes import State

if TYPE_CHECKING:
    from noosphere.graph.names import Mention
    from noosphere.graph.ontology import Ontology
    from noosphere.graph.said import Said
    from noosphere.store.nodes import NodeRow, VersionRow
    from noosphere.store.transaction import Entry, Tx

GUESSED = 0.5  # the confidence of a type that nothing told


def entities_of(tx: Tx, entry: Entry, said: Said, rules: Ontology, broken: list[str]) -> dict[str, NodeRow]:
    """The entity of each name of a text by key: found, or made; each is counted as seen.

    Args:
        tx: the write transaction.
        entry: the entry of the memory that names them; undoing it takes away those that nothing else names.
        said: what the text says.
        rules: the ontology in force.
        broken: takes the rules that names broke.
    """
    found: dict[str, NodeRow] = {}
    for key, name in said.names.items():
        if noise(name.name) is not None:
            continue
        node = _entity(tx, entry, name, rules, broken)
        if node is not None:
            found[key] = node
            usage.seen(tx, node.id)
    for key, node in _known_small(tx, said).items():
        found.setdefault(key, node)
    return found


def _entity(tx: Tx, entry: Entry, name: Mention, rules: Ontology, broken: list[str]) -> NodeRow | None:
    standing = nodes.entities_called(tx.sql, name.key)
    same = next((one for one in standing if one[1].state.entity_type == name.type), None)
    if same is not None:
        if name.sure and _guessed(same[1]):
            nodes.open_next(tx, entry, same[0], same[1].state._replace(confidence=None))
        return same[0]
    if standing and not name.sure:
        return standing[0][0]
    guessed = next((one for one in standing if _guessed(one[1])), None)
    if guessed is not None:  # a name first met without a hint takes the type that is told later
        nodes.open_next(tx, entry, guessed[0], guessed[1].state._replace(entity_type=name.type, confidence=None))
        return guessed[0]
    if (known := nodes.entity_known_as(tx.sql, name.type, name.key)) is not None:
        return known[0]
    if (lack := rules.lacks(name.type, {})) is not None:
        broken.append(f"{name.name}: {lack}")
        return None
    return _make(tx, entry, name)


def told(tx: Tx, entry: Entry, type_: str, key: str) -> tuple[NodeRow, VersionRow] | None:
    """The entity of this name whose type was a guess, with the type that is told now; None when there is none."""
    guessed = next((one for one in nodes.entities_called(tx.sql, key) if _guessed(one[1])), None)
    if guessed is None:
        return None
    nodes.open_next(tx, entry, guessed[0], guessed[1].state._replace(entity_type=type_, confidence=None))
    return guessed[0], nodes.current(tx.sql, guessed[0].id)


def _make(tx: Tx, entry: Entry, name: Mention) -> NodeRow:
    node = nodes.create(tx, entry, NodeClass.ENTITY)
    state = State(
        entity_type=name.type,
        name=name.name,
        norm_name=name.key,
        properties=json.dumps({}),
        source=Source.AGENT_INFERRED,
        claim=Claim.INFERRED,
        confidence=None if name.sure else GUESSED,
    )
    nodes.open_first(tx, entry, node, state)
    return node


def _guessed(version: VersionRow) -> bool:
    return version.state.confidence == GUESSED and version.state.source is Source.AGENT_INFERRED


def _known_small(tx: Tx, said: Said) -> dict[str, NodeRow]:
    """Entities that are known and whose names are written small here."""
    if not said.small:
        return {}
    found = [nodes.by_id(tx.sql, node) for node in listing.entities(tx.sql, said.small)]
    return {nodes.current(tx.sql, node.id).state.norm_name or "": node for node in found}
