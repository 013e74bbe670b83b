"""entity: store a person, project, place or thing once; its identity is its type and normalised name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from noosphere.errors import InvalidInput
from noosphere.graph.names import noise
from noosphere.graph.normalize import normalize
from noosphere.graph.rules import rules_of
from noosphere.ids import uid_text
from noosphere.model.argument import read_line
from noosphere.model.outcome import EntityStored, Reason, Refused
from noosphere.model.vocabulary import NodeClass, Source, tag_names, word
from noosphere.store import evidence as reasons_of
from noosphere.store import nodes, usage
from noosphere.store import tags as tags_of
from noosphere.store.nodes import State
from noosphere.write.graph.entities import told
from noosphere.write.parse import read_evidence, read_metadata

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from noosphere.store.mind_file import MindFile
    from noosphere.store.transaction import Entry, Tx


OPTIONS = ("properties", "tags", "source", "evidence")


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
    shown = read_line(name, "name")
    norm = normalize(shown or "")
    if shown is None or not norm:
        return Refused(reason=Reason.EMPTY, message="an entity needs a name")
    if type != "person" and (why := noise(shown, stated=True)) is not None:
        return Refused(reason=Reason.GATE, message=f"{shown!r} names no entity ({why})")
    wanted = read_metadata(properties)
    reasons, names = read_evidence(evidence), tag_names(tags)
    vouched = word(Source, source, "source") or Source.USER_STATED
    with mind.write() as tx:
        if type not in nodes.entity_types(tx.sql):
            raise InvalidInput.choice("type", type, nodes.entity_types(tx.sql))
        if (lack := rules_of(tx.sql).lacks(type, json.loads(wanted or "{}"))) is not None:
            return Refused(reason=Reason.GATE, message=f"{shown}: {lack}")
        entry = tx.open("entity")
        found = nodes.entity_known_as(tx.sql, type, norm) or told(tx, entry, type, norm)
        if found is None:
            state = State(entity_type=type, name=shown, norm_name=norm, properties=wanted, source=vouched)
            node = nodes.create(tx, entry, NodeClass.ENTITY)
            nodes.open_first(tx, entry, node, state)
        else:
            node = found[0]
            _merge(tx, entry, *found, wanted)
        tags_of.add(tx, entry, node, names)
        for reason in reasons:
            reasons_of.add(tx, entry, node.uid, reason)
        count = usage.seen(tx, node.id)
        journal = tx.close(entry, node.uid)
    return EntityStored(id=uid_text(node.uid), journal=journal, created=found is None, seen_count=count)


def _merge(tx: Tx, entry: Entry, node: nodes.NodeRow, version: nodes.VersionRow, wanted: str | None) -> None:
    old = json.loads(version.state.properties or "{}")
    merged = json.dumps({**old, **json.loads(wanted or "{}")}, ensure_ascii=False, sort_keys=True)
    if json.loads(merged) != old:
        nodes.open_next(tx, entry, node, version.state._replace(properties=merged))
