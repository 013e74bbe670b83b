"""relate: a directed relation between two entities, by name, kept by the ontology."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.errors import InvalidInput, NotFound
from noosphere.graph.normalize import normalize
from noosphere.graph.rules import rules_of
from noosphere.ids import looks_like_uid, parse_uid, uid_text
from noosphere.model.argument import read_line
from noosphere.model.outcome import Linked, Refused
from noosphere.model.outcome import Reason as Why
from noosphere.store import nodes, usage
from noosphere.write.entity import Wanted, put, read_wanted, unfit
from noosphere.write.link import join, read_about
from noosphere.write.parse import read_evidence
from noosphere.write.target import Target, find

if TYPE_CHECKING:
    from noosphere.graph.ontology import Relation
    from noosphere.store.connection import Connection
    from noosphere.store.evidence import Reason
    from noosphere.store.mind_file import MindFile
    from noosphere.store.transaction import Entry, Tx

    Named = tuple[str, str | None]

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
    relation = read_line(relation, "relation") or ""
    reasons = read_evidence(about.pop("evidence", None))
    said = read_about(mind.zone, **about)
    try:
        with mind.write() as tx:
            return _relate(tx, (src, src_type), relation, (dst, dst_type), said, reasons)
    except _Refused as stopped:  # an end may have been made by then, so all of it is rolled back
        return stopped.refused


class _Refused(Exception):
    """The relation cannot be set."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.message)
        self.refused = refused


def _relate(
    tx: Tx, src: Named, relation: str, dst: Named, said: dict[str, Any], reasons: tuple[Reason, ...]
) -> Linked | Refused:
    rules = rules_of(tx.sql)
    reading = rules.reading(relation)
    if reading is None:
        known = sorted({*rules.relations, *rules.inverses})
        raise InvalidInput.choice("relation", relation, known, "or add one: ontology.add_relation()")
    for name, type_ in (("src_type", src[1]), ("dst_type", dst[1])):
        if type_ is not None and type_ not in (types := nodes.entity_types(tx.sql)):
            raise InvalidInput.choice(name, type_, types, "or add one: ontology.add_type()")
    of, turned = reading
    ends = (dst, src) if turned else (src, dst)
    found = [_find(tx.sql, *end, allowed) for end, allowed in zip(ends, (of.src, of.dst), strict=True)]
    if (rule := _forbidden(tx.sql, of, found, (ends[0][1], ends[1][1]))) is not None:
        return Refused(reason=Why.GATE, message=rule)
    if None not in found:
        a, b = (find(tx.sql, one or "") for one in found)
        return join(tx, of.name, a, b, said, reasons)
    made = [None if one else _wanted(tx.sql, *end) for one, end in zip(found, ends, strict=True)]
    entry = tx.open("relate")
    a, b = (_end(tx, entry, one, new) for one, new in zip(found, made, strict=True))
    linked = join(tx, of.name, a, b, said, reasons, entry=entry)
    if isinstance(linked, Refused):
        raise _Refused(linked)
    return linked


def _wanted(sql: Connection, name: str, type_: str | None) -> Wanted:
    """What is to be made of a name that nothing has yet."""
    wanted = read_wanted(name, type_ or "")
    if isinstance(wanted, Refused):
        raise _Refused(wanted)
    if (refused := unfit(sql, wanted)) is not None:
        raise _Refused(refused)
    return wanted


def _end(tx: Tx, entry: Entry, found: str | None, wanted: Wanted | None) -> Target:
    if wanted is None:
        return find(tx.sql, found or "")
    node, _ = put(tx, entry, wanted)
    usage.seen(tx, node.id)
    return Target(node)


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
