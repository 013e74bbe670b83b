"""Memories people bring from other memory servers: mem0, server-memory's JSON lines, and mcp-memory-service.

- mem0 and mcp-memory-service give one note per memory, with its own id, tags and times.
- server-memory gives one note per entity, of its observations, and one edge per relation.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapter import Match
from noosphere.harvest.adapters.gathering import REMEDY
from noosphere.harvest.encoding import TextStream, decode
from noosphere.harvest.items import Found, ImportEntity, ImportItem, ImportLink, ItemType, Left, Omission, Reject
from noosphere.harvest.jsonlines import first_records, lines_of
from noosphere.harvest.jsonstream import BadJson, JsonReader, Passed
from noosphere.harvest.opening import RECORDS
from noosphere.harvest.times import read_instant
from noosphere.harvest.untrusted import as_list, as_plain, as_record, as_text, as_texts, first_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.harvest.members import Member

NAME = "memories"
LISTS = ("results", "memories", "data", "items")
MEM0 = re.compile(r'"memory"\s*:\s*"')
MEM0_MARK = re.compile(r'"(?:user_id|agent_id|run_id|hash|created_at)"\s*:')
SERVICE = re.compile(r'"content_hash"\s*:')
GRAPH = frozenset({"entity", "relation"})


def matches(member: Member, head: bytes) -> Match:  # noqa: ARG001  (judged by content alone)
    """Know each store by the fields of its records."""
    records = first_records(head)
    if any(as_text(record.get("type")) in GRAPH and _is_graph(record) for record in records):
        return Match.SURE
    text = decode(head).text
    is_mem0 = MEM0.search(text) and MEM0_MARK.search(text)
    is_service = SERVICE.search(text) and '"content"' in text
    return Match.SURE if RECORDS.match(text) and (is_mem0 or is_service) else Match.NO


def _is_graph(record: dict[str, Any]) -> bool:
    return {"name", "entityType"} <= record.keys() or {"from", "to", "relationType"} <= record.keys()


def read(member: Member) -> Iterator[Found]:
    """Yield the memories of a file."""
    if any(_is_graph(record) for record in first_records(member.head())):
        yield from _graph(member)
        return
    with member.open() as raw:
        reader = JsonReader(TextStream(raw))
        try:
            if reader.peek() == "[":
                yield from _memories(reader, member)
            else:
                is_read = False
                for name in reader.fields():
                    if name in LISTS and reader.peek() == "[":
                        is_read = True
                        yield from _memories(reader, member)
                if not is_read:
                    yield Left(member.origin, Omission.UNKNOWN_FILE)
        except BadJson as problem:
            yield Reject(member.origin, "the rest of the file", f"is not JSON: {problem}", REMEDY)


def _memories(reader: JsonReader, member: Member) -> Iterator[Found]:
    for place, _ in enumerate(reader.elements(), 1):
        value = reader.value()
        record, origin = as_record(value), f"{member.origin}#{place}"
        if not record:
            yield Reject(origin, "memory", value.why if isinstance(value, Passed) else "is not an object", REMEDY)
        elif text := first_text(record, "memory", "content", "text"):
            yield _memory(record, text, origin)
        else:
            yield Left(origin, Omission.EMPTY_NOTE)


def _memory(record: dict[str, Any], text: str, origin: str) -> ImportItem:
    made = f"made-{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:32]}"
    at = read_instant(record.get("created_at_iso")) or read_instant(record.get("created_at"))
    updated = read_instant(record.get("updated_at_iso")) or read_instant(record.get("updated_at"))
    tags = record.get("tags") or record.get("categories")
    listed = as_texts(tags) or [tag for tag in (as_text(tags) or "").split(",") if tag.strip()]
    about = {name: as_plain(record.get(name)) for name in ("memory_type", "user_id", "agent_id", "run_id", "metadata")}
    return ImportItem(
        id=first_text(record, "id", "content_hash") or made,
        source=NAME,
        type=ItemType.NOTE,
        title=None,
        origin=origin,
        at=at.at if at else None,
        updated=updated.at if updated else None,
        text=text,
        tags=tuple(dict.fromkeys(" ".join(tag.split()) for tag in listed if tag.isprintable())),
        metadata={name: value for name, value in about.items() if value},
        notes=(at.repair,) if at and at.repair else (),
    )


def _graph(member: Member) -> Iterator[Found]:
    """Relations may come before their entities: they are gathered first."""
    types: dict[str, str] = {}
    relations: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for record in _records(member):
        if isinstance(record, Reject):
            yield record
        elif record.get("type") == "entity":
            types[as_text(record.get("name")) or ""] = first_text(record, "entityType") or "concept"
        elif record.get("type") == "relation":
            start, to = first_text(record, "from"), first_text(record, "to")
            if start and to:
                relations[start].append((to, first_text(record, "relationType") or "relates_to"))
    for record in _records(member):
        if isinstance(record, dict) and record.get("type") == "entity":
            yield from _entity(record, types, relations, member)
    for start in relations.keys() - types.keys():
        why = "starts at an entity that is not in the file"
        yield Reject(member.origin, f"relation of {start}", why, "Add the entity's line and harvest again")


def _records(member: Member) -> Iterator[dict[str, Any] | Reject]:
    with member.open() as raw:
        for line in lines_of(raw):
            record = as_record(line.value)
            if _is_graph(record):
                yield record
            else:
                why = line.bad or "is neither an entity nor a relation"
                yield Reject(member.origin, f"line {line.number}", why, REMEDY)


def _entity(
    record: dict[str, Any],
    types: dict[str, str],
    relations: dict[str, list[tuple[str, str]]],
    member: Member,
) -> Iterator[Found]:
    name = first_text(record, "name")
    if name is None:
        yield Reject(member.origin, "entity", "has no name", REMEDY)
        return
    about = ImportEntity(name, types[name])
    told = [text for one in as_list(record.get("observations")) if (text := _observation(one))]
    at = read_instant(record.get("createdAt"))
    yield ImportItem(
        id=f"entity/{name}",
        source=NAME,
        type=ItemType.NOTE,
        title=name,
        origin=member.origin,
        at=at.at if at else None,
        text="\n".join((f"{name} ({types[name]})", *told)),
        entities=(about,),
        links=tuple(
            ImportLink(ImportEntity(to, types.get(to, "concept")), kind, about)
            for to, kind in dict.fromkeys(relations.get(name, ()))
        ),
    )


def _observation(value: Any) -> str | None:
    return as_text(value) or first_text(as_record(value), "content", "text")
