"""Perplexity: a thread as Markdown, the archive of a data request, and threads as its web interface gives them.

Queries and answers become turns; citation marks, their definitions and search steps do not, the addresses cited
stay as `sources`. A failed query keeps its words. A thread that says it has more pages tells so in a note.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapter import Match
from noosphere.harvest.adapters.gathering import REMEDY, Gathering
from noosphere.harvest.adapters.perplexity_thread import NAME, read_markdown, read_thread, say
from noosphere.harvest.encoding import TextStream, decode
from noosphere.harvest.items import Found, Left, Omission, Reject
from noosphere.harvest.jsonstream import BadJson, JsonReader, Passed
from noosphere.harvest.untrusted import as_list, as_record, first_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.harvest.members import Member

LOGO = re.compile(r"\s*<img src=\"https?://[^\"\s]*(?:perplexity|pplx)[^\"\s]*\"")
PAYLOAD = re.compile(r'\s*\{\s*"file_content_64"\s*:\s*"')
JSON = re.compile(r"\s*[\[{]")
ARCHIVE = ('"context_title"', '"entries"', '"query"')
WEB = ('"query_str"', '"entries"')
EXTENSION = ('"thread_id"', '"conversations"', '"query"', '"answer"')


def matches(member: Member, head: bytes) -> Match:  # noqa: ARG001  (judged by content alone)
    """Know each kind by its opening or by fields that belong together nowhere else."""
    text = decode(head).text
    if LOGO.match(text) or PAYLOAD.match(text):
        return Match.SURE
    kinds = (ARCHIVE, WEB, EXTENSION, ('"query_str"', '"blocks"'))
    is_json = JSON.match(text) is not None and any(all(mark in text for mark in kind) for kind in kinds)
    return Match.SURE if is_json else Match.NO


def read(member: Member) -> Iterator[Found]:
    """Yield the threads of a file."""
    head = decode(member.head()).text
    if LOGO.match(head):
        decoded = member.text()
        yield from [decoded] if isinstance(decoded, Reject) else read_markdown(member, decoded.text)
        return
    with member.open() as raw:
        try:
            yield from _json(JsonReader(TextStream(raw)), member)
        except BadJson as problem:
            yield Reject(member.origin, "the rest of the file", f"is not JSON: {problem}", REMEDY)


def _json(reader: JsonReader, member: Member) -> Iterator[Found]:
    """An archive's threads are read one by one; anything else is one thread."""
    if reader.peek() == "[":
        yield from _threads(reader, member)
        return
    fields: dict[str, Any] = {}
    is_read = False
    for name in reader.fields():
        if name == "conversations" and reader.peek() == "[" and "metadata" not in fields:
            is_read = True
            yield from _threads(reader, member)
        else:
            fields[name] = reader.value()
    if packed := first_text(fields, "file_content_64"):
        yield from _payload(packed, member)
    elif "entries" in fields or "conversations" in fields:
        thread = as_record(fields.get("metadata")) | fields
        yield from read_thread(
            thread, as_list(fields.get("entries", fields.get("conversations"))), member, member.origin
        )
    elif "query_str" in fields:
        yield from read_thread(fields, [fields], member, member.origin)
    elif not is_read:
        yield Left(member.origin, Omission.UNKNOWN_FILE)


def _threads(reader: JsonReader, member: Member) -> Iterator[Found]:
    alone: Gathering | None = None
    last: str | None = None
    for place, _ in enumerate(reader.elements(), 1):
        value = reader.value()
        thread, origin = as_record(value), f"{member.origin}#{place}"
        if isinstance(thread.get("entries"), list):
            yield from read_thread(thread, thread["entries"], member, origin)
        elif "query" in thread or "query_str" in thread:
            alone = alone or Gathering(NAME, member.origin)
            last = say(thread, place, last, alone)
        else:
            why = value.why if isinstance(value, Passed) else "has no entries"
            yield Reject(origin, "thread", why, REMEDY)
    if alone:
        yield from alone.found(member.name, title=None, path=member.name)


def _payload(packed: str, member: Member) -> Iterator[Found]:
    """The answer of the web interface to an export: the Markdown, packed."""
    try:
        text = decode(base64.b64decode(packed, validate=True)).text
    except (binascii.Error, ValueError):
        yield Reject(member.origin, "thread", "its packed text is damaged", REMEDY)
        return
    yield from read_markdown(member, text)
