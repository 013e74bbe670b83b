"""entity: store a person, project, place or thing once; its identity is its type and normalised name."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from noosphere.errors import InvalidInput
from noosphere.errors import shown as quoted
from noosphere.graph.names import noise
from noosphere.graph.normalize import normalize
from noosphere.graph.rules import rules_of
from noosphere.ids import uid_text
from noosphere.model.argument import read_line
from noosphere.model.outcome import EntityStored, Reason, Refused
from noosphere.model.vocabulary import NodeClass, Source, tag_names, word
from noosphere.records import dataclass
from noosphere.store import evidence as reasons_of
from noosphere.store import nodes, usage
from noosphere.store import tags as tags_of
from noosphere.store.nodes import State
from noosphere.write.graph.entities import told
from noosphere.write.parse import read_evidence, read_metadata

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.store.transaction import Entry, Tx


MAX_NAME = 1_000  # characters
OPTIONS = ("properties", "tags", "source", "evidence")


@dataclass(frozen=True, slots=True)
class Wanted:
    """An entity as a caller states it, checked as far as that goes without the mind."""

    name: str
    norm: str
    type: str
    properties: str | None = None
    tags: tuple[str, ...] = ()
    source: Source = Source.USER_STATED
    reasons: tuple[reasons_of.Reason, ...] = ()


def store_entity(
    mind: MindFile,
    name: str,
    type: str,
    *,
    properties: Mapping[str, Any] | None = None,
    tags: str | Sequence[str] | None = None,
    source: str | None = None,
    evidence: Any = None,
) -> EntityStored | Refused:
    """Store an entity, or count that it was seen again; new properties are merged over the old.

    Raises:
        InvalidInput: an unknown type, or a name without a letter or digit.
    """
    wanted = read_wanted(name, type)
    if isinstance(wanted, Refused):
        return wanted
    wanted = replace(
        wanted,
        properties=read_metadata(properties, "properties"),
        tags=tag_names(tags),
        source=word(Source, source, "source") or Source.USER_STATED,
        reasons=read_evidence(evidence),
    )
    with mind.write() as tx:
        if (refused := unfit(tx.sql, wanted)) is not None:
            return refused
        entry = tx.open("entity")
        node, created = put(tx, entry, wanted)
        count = usage.seen(tx, node.id)
        journal = tx.close(entry, node.uid)
    return EntityStored(id=uid_text(node.uid), journal=journal, created=created, seen_count=count)


def read_wanted(name: str, type: str) -> Wanted | Refused:
    """Check the name of an entity.

    Raises:
        InvalidInput: the name is no line of text.
    """
    shown = read_line(name, "name")
    norm = normalize(shown or "")
    if shown is None or not norm:
        return Refused(reason=Reason.EMPTY, message="an entity needs a name")
    if len(shown) > MAX_NAME:
        return Refused(reason=Reason.TOO_LARGE, message=f"a name has at most {MAX_NAME} characters; shorten it")
    if type != "person" and (why := noise(shown, stated=True)) is not None:
        return Refused(reason=Reason.GATE, message=f"{shown!r} names no entity ({why})")
    return Wanted(shown, norm, type)


def unfit(sql: Connection, wanted: Wanted) -> Refused | None:
    """The refusal of an entity that lacks what its type requires.

    Raises:
        InvalidInput: an unknown type.
    """
    if wanted.type not in nodes.entity_types(sql):
        raise InvalidInput.choice("type", wanted.type, nodes.entity_types(sql), "or add one: ontology.add_type()")
    lack = rules_of(sql).lacks(wanted.type, json.loads(wanted.properties or "{}"))
    return None if lack is None else Refused(reason=Reason.GATE, message=f"{quoted(wanted.name)}: {lack}")


def put(tx: Tx, entry: Entry, wanted: Wanted) -> tuple[nodes.NodeRow, bool]:
    """Create an entity, or add to the one of this identity; says which."""
    found = nodes.entity_known_as(tx.sql, wanted.type, wanted.norm) or told(tx, entry, wanted.type, wanted.norm)
    if found is None:
        node = nodes.create(tx, entry, NodeClass.ENTITY)
        state = State(entity_type=wanted.type, name=wanted.name, norm_name=wanted.norm, properties=wanted.properties)
        nodes.open_first(tx, entry, node, state._replace(source=wanted.source))
    else:
        node = found[0]
        _merge(tx, entry, *found, wanted.properties)
    tags_of.add(tx, entry, node, wanted.tags)
    for reason in wanted.reasons:
        reasons_of.add(tx, entry, node.uid, reason)
    return node, found is None


def _merge(tx: Tx, entry: Entry, node: nodes.NodeRow, version: nodes.VersionRow, wanted: str | None) -> None:
    old = json.loads(version.state.properties or "{}")
    merged = json.dumps({**old, **json.loads(wanted or "{}")}, ensure_ascii=False, sort_keys=True)
    if json.loads(merged) != old:
        nodes.open_next(tx, entry, node, version.state._replace(properties=merged))
