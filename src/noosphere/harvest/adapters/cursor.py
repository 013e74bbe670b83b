"""Cursor's conversations: a composer whose messages stand in it, or in rows named by its headers.

They lie in the database Cursor keeps them in (`state.vscdb`), which is only read, or in JSON that a tool took from it.
Sessions of its command line lie in a `store.db` each (cursor_store.py).
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapter import Match
from noosphere.harvest.adapters import cursor_store
from noosphere.harvest.adapters.agent_text import spoken
from noosphere.harvest.adapters.gathering import REMEDY, Gathering
from noosphere.harvest.encoding import TextStream, decode
from noosphere.harvest.items import USER, Found, Left, Omission, Reject, TurnRole
from noosphere.harvest.jsonstream import EACH, BadJson, JsonReader, values_at
from noosphere.harvest.opening import RECORDS
from noosphere.harvest.untrusted import as_list, as_record, as_text, as_texts, first_text
from noosphere.store.foreign import SQLITE_MAGIC, Unreadable, key_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.harvest.members import Member

NAME = "cursor"
SPEAKER = "Cursor"
ROLES = {1: (USER, TurnRole.USER), 2: (SPEAKER, TurnRole.ASSISTANT)}  # as Cursor numbers its bubbles
MARKS = re.compile(r'"(?:fullConversationHeadersOnly|bubble_rows|composerId|composer_data)"\s*:')
BUBBLES = re.compile(r'"(?:bubbleId|bubble_rows|conversation)"\s*:')
TABLE, COMPOSER, BUBBLE = "cursorDiskKV", "composerData:", "bubbleId:"
SAID = ("text", "rawText", "content", "message")
WHEN = ("timestamp", "createdAt")


def matches(member: Member, head: bytes) -> Match:  # noqa: ARG001  (judged by content alone)
    """Know a composer by the names of its parts, Cursor's database by the name of its table."""
    if head.startswith(SQLITE_MAGIC):
        is_store = all(mark in head for mark in cursor_store.MARKS)
        return Match.SURE if is_store or TABLE.encode() in head else Match.NO
    text = decode(head).text
    return Match.SURE if RECORDS.match(text) and MARKS.search(text) and BUBBLES.search(text) else Match.NO


def read(member: Member) -> Iterator[Found]:
    """Yield the composers of a file."""
    if member.head().startswith(SQLITE_MAGIC):
        yield from _database(member)
        return
    with member.open() as raw:
        reader = JsonReader(TextStream(raw))
        is_array = reader.peek() == "["
        try:
            for place, value in enumerate(values_at(reader, (EACH,) if is_array else ()), 1):
                origin = f"{member.origin}#{place}" if is_array else member.origin
                if record := as_record(value):
                    yield from _composer(record, member.name, origin)
                else:
                    yield Reject(origin, "composer", "is not an object", REMEDY)
        except BadJson as problem:
            yield Reject(member.origin, "the rest of the file", f"is not JSON: {problem}", REMEDY)


def _database(member: Member) -> Iterator[Found]:
    if member.path is None:
        yield Reject(member.origin, "database", "lies in an archive", "Unpack it and give the file")
        return
    found = False
    try:
        if all(mark in member.head() for mark in cursor_store.MARKS):
            yield from cursor_store.read_store(member, member.path)
            return
        for key, value in key_values(member.path, TABLE, COMPOSER):
            found = True
            origin = f"{member.origin}#{key}"
            composer = _json(value)
            if composer is None:
                yield Reject(origin, "composer", "is not a JSON object", REMEDY)
                continue
            own = first_text(composer, "composerId") or key.removeprefix(COMPOSER)
            rows = [
                {"key": name, "value": _json(row)} for name, row in key_values(member.path, TABLE, f"{BUBBLE}{own}:")
            ]
            record = {"composer_key": key, "composer_data": composer, "bubble_rows": rows}
            yield from _composer(record, member.name, origin)
    except Unreadable as problem:
        yield Reject(member.origin, "database", str(problem), "Close Cursor, or copy the file, and try again")
    else:
        if not found:
            yield Left(member.origin, Omission.EMPTY_CONVERSATION)


def _json(value: bytes) -> dict[str, Any] | None:
    try:
        return as_record(json.loads(decode(value).text)) or None
    except (ValueError, RecursionError):
        return None


def _composer(record: dict[str, Any], name: str, origin: str) -> Iterator[Found]:
    composer = as_record(record.get("composer_data")) or record
    own = first_text(composer, "composerId") or (first_text(record, "composer_key") or "").removeprefix("composerData:")
    rows = {
        (first_text(row, "key") or "").rsplit(":", 1)[-1]: as_record(row.get("value"))
        for row in map(as_record, as_list(record.get("bubble_rows")))
    }
    gathering = Gathering(NAME, origin)
    last: str | None = None
    bubbles = as_list(composer.get("fullConversationHeadersOnly")) or as_list(composer.get("conversation"))
    for place, header in enumerate(map(as_record, bubbles), 1):
        key = first_text(header, "bubbleId") or f"bubble-{place}"
        bubble = rows.get(key) or header
        if not bubble.keys() & {*SAID, "toolFormerData", "thinking"}:
            gathering.refuse(f"bubble {key}", "is named by its header alone; its row is not in the file")
        else:
            last = _say(bubble, gathering.unique(key), last, gathering)
    gathering.talk.begun = gathering.talk.instant(composer.get("createdAt"))
    yield from gathering.found(
        own or name,
        title=first_text(composer, "name", "title"),
        updated=composer.get("lastUpdatedAt"),
        path=None if own else name,
        metadata={
            "workspace": _workspace(rows),
            "model": first_text(as_record(composer.get("modelConfig")), "modelName"),
        },
    )


def _say(bubble: dict[str, Any], key: str, last: str | None, gathering: Gathering) -> str | None:
    """Take one bubble and return the key of the latest turn."""
    kind, text = bubble.get("type"), first_text(bubble, *SAID)
    if not isinstance(kind, int) or kind not in ROLES:
        gathering.left[Omission.TOOL_OUTPUT] += 1
    elif not text:
        is_tool, is_thought = "toolFormerData" in bubble, "thinking" in bubble
        what = Omission.TOOL_CALL if is_tool else Omission.REASONING if is_thought else Omission.EMPTY_MESSAGE
        gathering.left[what] += 1
    elif words := spoken(text) if kind == 1 else text.strip():
        gathering.talk.place(key, last)
        gathering.talk.say(key, *ROLES[kind], words, next((bubble[at] for at in WHEN if bubble.get(at)), None))
        return key
    else:
        gathering.left[Omission.HIDDEN_MESSAGE] += 1
    return last


def _workspace(rows: dict[str, dict[str, Any]]) -> str | None:
    for bubble in rows.values():
        if text := as_text(bubble.get("workspaceProjectDir")) or next(
            iter(as_texts(bubble.get("workspaceUris"))), None
        ):
            return text
    return None
