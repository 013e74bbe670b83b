"""The notes of a claude.ai export: documents of projects, and memories Claude made of the person."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapters.claude_conversation import NAME, REMEDY
from noosphere.harvest.items import Found, ImportItem, ItemType, Left, Omission, Reject
from noosphere.harvest.times import read_instant
from noosphere.harvest.untrusted import as_list, as_record, as_text, first_text

if TYPE_CHECKING:
    from collections.abc import Iterator

MEMORY_TAG = "claude-memory"
PROJECT_TAG = "claude-project"


def project_notes(value: object, origin: str) -> Iterator[Found]:
    """Yield what a project says of itself, and its documents; its instructions to Claude are left out."""
    project = as_record(value)
    key, name = first_text(project, "uuid", "id"), first_text(project, "name")
    if key is None:
        yield Reject(origin, "project", "has no id", REMEDY)
        return
    if text := first_text(project, "description"):
        yield _note(f"project/{key}", name, text, origin, project, {"project": name}, PROJECT_TAG)
    if first_text(project, "prompt_template"):
        yield Left(origin, Omission.PROFILE)
    for place, entry in enumerate(as_list(project.get("docs"))):
        doc = as_record(entry)
        title, text = first_text(doc, "filename", "file_name"), first_text(doc, "content")
        own = first_text(doc, "uuid") or title or str(place)
        if text:
            yield _note(f"project/{key}/{own}", title, text, origin, doc, {"project": name}, PROJECT_TAG)
        else:
            yield Left(origin, Omission.EMPTY_NOTE)


def memory_notes(value: object, origin: str, place: str) -> Iterator[Found]:
    """Yield what Claude remembers of the person, and of each project.

    Memories have no times: of two states that lie in one folder none is the newer, and both stay, by their place.
    """
    record = as_record(value)
    account = first_text(record, "account_uuid") or "account"
    told = [(f"claude/memory/{account}", record.get("conversations_memory"))]
    told += [(f"claude/memory/{account}/{key}", text) for key, text in _by_project(record.get("project_memories"))]
    for key, memory in told:
        if text := as_text(memory) or first_text(as_record(memory), "memory", "content", "text"):
            yield replace(_note(key, None, text, origin, record, {}, MEMORY_TAG), path=place)
        elif memory:
            yield Reject(origin, f"memory {key}", "holds no text", REMEDY)


def _by_project(value: Any) -> list[tuple[str, Any]]:
    """Memories of projects: by id, as a list, or as one text."""
    if isinstance(value, dict):
        return list(as_record(value).items())
    if as_text(value):
        return [("projects", value)]
    return [
        (first_text(as_record(one), "project_uuid", "uuid", "id") or str(place), one)
        for place, one in enumerate(as_list(value))
    ]


def _note(
    key: str,
    title: str | None,
    text: str,
    origin: str,
    record: dict[str, Any],
    metadata: dict[str, Any],
    tag: str,
) -> ImportItem:
    at, updated = read_instant(record.get("created_at")), read_instant(record.get("updated_at"))
    return ImportItem(
        id=key,
        source=NAME,
        type=ItemType.NOTE,
        title=title,
        origin=origin,
        at=at.at if at else None,
        updated=updated.at if updated else None,
        text=text,
        tags=(tag,),
        metadata={name: told for name, told in metadata.items() if told},
        notes=tuple(one.repair for one in (at,) if one and one.repair),
    )
