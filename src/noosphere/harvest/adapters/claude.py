"""claude.ai's data export: conversations, projects and memories, each in a file of its own.

- Turns are the text blocks of a message, the texts extracted from its attachments, and its artifacts; the
  `text` field is used where there are no blocks, without the placeholder older exports put in it.
- Thinking, tool calls and their results are left out and counted.
- Messages form a tree by `parent_message_uuid`; a retry is a branch. Exports name no current message, except
  those made from the web interface.
- Documents of a project and Claude's own memories of the person become notes.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from noosphere.harvest.adapter import Match
from noosphere.harvest.adapters.claude_conversation import NAME, REMEDY, read_conversation
from noosphere.harvest.adapters.claude_notes import memory_notes, project_notes
from noosphere.harvest.adapters.place import conversations_in
from noosphere.harvest.encoding import TextStream, decode
from noosphere.harvest.items import Found, Left, Omission, Reject
from noosphere.harvest.jsonstream import EACH, JsonReader, Passed, Path, values_at
from noosphere.harvest.opening import JSON
from noosphere.harvest.untrusted import as_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from noosphere.harvest.members import Member

__all__ = ["NAME", "matches", "read"]

TALKS = re.compile(r'"chat_messages"\s*:\s*(?:\[|null)')
MEMORY = re.compile(r'"conversations_memory"\s*:|"project_memories"\s*:')
PROJECT = ('"prompt_template"', '"is_starter_project"', '"docs"')
USERS = ('"full_name"', '"email_address"', '"uuid"')
PARTS = re.compile(r'"(?:name|file_?name)"\s*:\s*"(?:conversations|projects|memories|users)[^"]*\.zip"')


def matches(member: Member, head: bytes) -> Match:  # noqa: ARG001  (judged by content alone)
    """Know each file of the export by fields that no other export has."""
    text = decode(head).text
    return Match.SURE if JSON.match(text) and _kind(text) else Match.NO


def _kind(text: str) -> str | None:
    if TALKS.search(text):
        return "talks"
    if MEMORY.search(text):
        return "memories"
    if '"docs"' in text and (sum(mark in text for mark in PROJECT) > 1 or '"is_private"' in text):
        return "projects"
    if all(mark in text for mark in USERS):
        return "users"
    return "parts" if PARTS.search(text) else None


def read(member: Member) -> Iterator[Found]:
    """Yield what a file of the export holds; a broken place costs only what comes after it."""
    match _kind(decode(member.head()).text):
        case "memories":
            yield from _records(member, partial(memory_notes, place=member.name))
        case "projects":
            yield from _records(member, project_notes)
        case "users":
            yield Left(member.origin, Omission.COMPANION_FILE)
        case "parts":
            why = "names the parts of an export and holds none of them"
            yield Reject(member.origin, "manifest", why, "Download the zip files it names and harvest those")
        case _:
            yield from conversations_in(member, "chat_messages", REMEDY, _one)


def _one(reader: JsonReader, origin: str, _surely: bool) -> Iterator[Found]:  # noqa: FBT001  (a ReadOne)
    return read_conversation(reader, origin)


def _records(member: Member, notes: Callable[[object, str], Iterator[Found]]) -> Iterator[Found]:
    """The records of a file that is an array of them, or one of them."""
    with member.open() as raw:
        reader = JsonReader(TextStream(raw))
        path: Path = (EACH,) if reader.peek() == "[" else ()
        for place, value in enumerate(values_at(reader, path), 1):
            origin = f"{member.origin}#{place}"
            if isinstance(value, dict):
                yield from notes(as_record(value), origin)
            else:
                why = value.why if isinstance(value, Passed) else "is not an object"
                yield Reject(origin, "record", why, REMEDY)
