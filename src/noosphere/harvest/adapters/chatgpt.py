"""ChatGPT's data export: conversations as trees of messages, in one `conversations.json` or in many.

What becomes of a message:

- words a person saw become turns: questions, answers, voice transcriptions, captions of pictures, canvas texts;
- a message to the `bio` tool is ChatGPT's own memory of the person: a note of its own, tagged, naming its conversation;
- system and hidden messages, profiles, reasoning, tool calls and their output are left out and counted;
- every branch is kept; the path ChatGPT showed last is marked by its head and never mixed with the others.

A turn's key is the id of its node, which a grown conversation keeps.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapter import Match
from noosphere.harvest.adapters.chatgpt_conversation import NAME, REMEDY, read_conversation
from noosphere.harvest.adapters.place import conversations_in
from noosphere.harvest.encoding import TextStream, decode
from noosphere.harvest.items import Found, ImportItem, ItemType, Left, Omission
from noosphere.harvest.jsonstream import JsonReader, top_fields
from noosphere.harvest.members import MAX_TEXT_BYTES
from noosphere.harvest.opening import JSON
from noosphere.harvest.times import read_instant
from noosphere.harvest.untrusted import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.harvest.members import Member

__all__ = ["NAME", "matches", "read", "read_conversation"]


TREE = re.compile(r'"mapping"\s*:')
NODE = re.compile(r'"(?:author|parent|children|current_node)"\s*:')
# Files of the same export that hold no conversations, each by fields that no other file has.
COMPANIONS = (
    ('"chatgpt_plus_user"',),  # user.json
    ('"rating"', '"thumbs', '"conversation_id"'),  # message_feedback.json
    ('"is_anonymous"', '"conversation_id"'),  # shared_conversations.json
)
PAGE = re.compile(r"\s*<html>\s*<head>\s*<title>ChatGPT Data Export", re.IGNORECASE)  # chat.html: the same as a page
DOCUMENT = ("id", "title", "content", "created_at", "type")  # of textdocs/<id>.json, a canvas text by itself
DOCUMENT_TYPES = ("document", "text/", "code/")


def matches(member: Member, head: bytes) -> Match:
    """Know the export by its tree of nodes, and its companion files by the fields only they have."""
    text = decode(head).text
    if _is_companion(text):
        return Match.SURE
    if not JSON.match(text):
        return Match.NO
    if TREE.search(text):
        return Match.SURE if NODE.search(text) else Match.NO
    return Match.LIKELY if _document(member, text) else Match.NO


def _is_companion(text: str) -> bool:
    if not JSON.match(text):
        return PAGE.match(text) is not None
    return not TREE.search(text) and any(all(mark in text for mark in marks) for marks in COMPANIONS)


def _document(member: Member, head: str) -> dict[str, Any] | None:
    """The fields of a canvas text, if the member is one."""
    if member.size > MAX_TEXT_BYTES or not all(f'"{name}"' in head for name in DOCUMENT[:3]):
        return None
    with member.open() as raw:
        fields = top_fields(JsonReader(TextStream(raw)))
    is_one = all(as_text(fields.get(name)) for name in DOCUMENT) and fields["type"].startswith(DOCUMENT_TYPES)
    return fields if is_one else None


def read(member: Member) -> Iterator[Found]:
    """Yield the conversations of a file one by one; a broken place costs only what comes after it."""
    head = decode(member.head()).text
    if _is_companion(head):
        yield Left(member.origin, Omission.COMPANION_FILE)
    elif not TREE.search(head) and (fields := _document(member, head)):
        yield _document_note(fields, member.origin)
    else:
        yield from conversations_in(member, "mapping", REMEDY, _one, beside=True)


def _one(reader: JsonReader, origin: str, surely: bool) -> Iterator[Found]:  # noqa: FBT001  (a ReadOne)
    return read_conversation(reader, origin, surely=surely)


def _document_note(fields: dict[str, Any], origin: str) -> ImportItem:
    at = read_instant(fields["created_at"])
    return ImportItem(
        id=f"textdoc/{fields['id']}",
        source=NAME,
        type=ItemType.NOTE,
        title=fields["title"],
        origin=origin,
        at=at.at if at else None,
        text=fields["content"],
        notes=(at.repair,) if at and at.repair else (),
    )
