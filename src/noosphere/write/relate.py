"""relate: a directed relation between two entities, by name, kept by the ontology."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.errors import InvalidInput, NotFound
from noosphere.graph.normalize import normalize
from noosphere.graph.rules import rules_of
from noosphere.ids import looks_like_uid, parse_uid, uid_text
from noosphere.model.argument import read_line
from noosphere.model.outcome import Linked, Reason, Refused
from noosphere.store import nodes
from noosphere.write.entity import store_entity
from noosphere.write.link import link

if TYPE_CHECKING:
    from noosphere.graph.ontology import Relation
    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile

OPTIONS = ("src_type", "dst_type", "weight", "claim", "evidence", "valid_from", "valid_to")


def relate(
    mind: MindFile,
    src: str,
    relation: str,
    dst: str,
    *,
    src_type: str | None = None,
    dst_type: str | None = None,
    **about: Any,
) -> Linked | Refused:
    """Say how one entity bears on another; the inverse of a relation ("leads") sets the same edge as the relation.

    Args:
        mind: the open file.
        src: a name or an id.
        relation: a relation of the ontology, or its inverse.
        dst: a name or an id.
        src_type: what the first is; needed when nothing has the name yet, or several things have.
        dst_type: what the second is, likewise.
        about: weight, claim, evidence, valid_from, valid_to.

    Raises:
        InvalidInput: an unknown relation or type, or a name that is several things.
        NotFound: nothing has a name or id, and no type was given to make it.
    """
    with mind.read() as sql:
        rules = rules_of(sql)
        reading = rules.reading(relation)
    if reading is None:
        raise InvalidInput.choice("relation", relation, sorted({*rules.relations, *rules.inverses}))
    of, turned = reading
    if turned:
        src, src_type, dst, dst_type = dst, dst_type, src, src_type
    ends = ((src, src_type, of.src), (dst, dst_type, of.dst))
    with mind.read() as sql:
        found = [_find(sql, name, type_, allowed) for name, type_, allowed in ends]
        if (rule := _forbidden(sql, of, found, (src_type, dst_type))) is not None:
            return Refused(reason=Reason.GATE, message=rule)
    ids: list[str] = []
    for (name, type_, _), one in zip(ends, found, strict=True):
        if one is not None:
            ids.append(one)
            continue
        made = store_entity(mind, name, type_ or "")
        if isinstance(made, Refused):
            return made
        ids.append(made.id)
    return link(mind, ids[0], of.name, ids[1], **about)


def _find(sql: Connection, name: str, type_: str | None, allowed: tuple[str, ...]) -> str | None:
    """The id of what a name means; None when it is to be made."""
    shown = read_line(name, "name") or ""
    if looks_like_uid(shown):
        return uid_text(parse_uid(shown, "name"))
    named = nodes.entities_called(sql, normalize(shown))
    fits = [(node, v) for node, v in named if type_ in (None, v.state.entity_type)]
    if type_ is None and len(fits) > 1:
        fits = [(node, v) for node, v in fits if not allowed or v.state.entity_type in allowed]
    if len(fits) > 1:
        kinds = ", ".join(v.state.entity_type or "" for _, v in fits)
        raise InvalidInput("name", f"{shown!r} is several things: {kinds}", "Say which by its type, or give its id")
    if fits:
        return uid_text(fits[0][0].uid)
    if type_ is None:
        raise NotFound("entity", shown, "Say what it is (src_type, dst_type) to make it")
    return None


def _forbidden(
    sql: Connection, of: Relation, found: list[str | None], types: tuple[str | None, str | None]
) -> str | None:
    kinds: list[str] = []
    for one, type_ in zip(found, types, strict=True):
        node = None if one is None else nodes.by_uid(sql, parse_uid(one))
        if one is not None and node is None:
            raise NotFound("entity", one, "Look for its name with search_entities()")
        kinds.append((type_ or "") if node is None else nodes.current(sql, node.id).state.entity_type or "memory")
    return of.forbids(*kinds)
