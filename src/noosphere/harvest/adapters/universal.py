"""Any other chat in JSON: an object or array of messages, a list of such conversations, or a message a line.

A message has who spoke (`role`, `sender`, `speaker`, `author`, `from`, or a telling `type`) and what was said
(`content`, `text`, `message`, `value`, `prompt`, `output`, …). Messages of tools and systems are left out and
counted; names of people stay as they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapter import Match
from noosphere.harvest.adapters.gathering import REMEDY, Gathering
from noosphere.harvest.adapters.universal_message import ASSISTANTS, IGNORED, PEOPLE, Unknown, read_message
from noosphere.harvest.encoding import TextStream, decode
from noosphere.harvest.items import Found, Left, Omission, Reject
from noosphere.harvest.jsonlines import first_records, lines_of
from noosphere.harvest.jsonstream import BadJson, JsonReader, Passed
from noosphere.harvest.opening import RECORDS
from noosphere.harvest.untrusted import as_list, as_record, first_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from noosphere.harvest.members import Member

NAME = "universal"
MESSAGES = ("messages", "turns", "history", "conversation", "dialogue", "dialog", "utterances", "chat", "chat_history")
TALKS = ("conversations", "chats", "sessions", "threads", "dialogues", "data")
IDS = (
    "id",
    "uuid",
    "conversation_id",
    "conversationId",
    "sessionId",
    "session_id",
    "thread_id",
    "chat_id",
    "projectId",
)
BEGUN = ("created_at", "createdAt", "create_time", "startTime", "start_time", "timestamp", "date")
UPDATED = ("updated_at", "updatedAt", "update_time", "lastUpdated")

LIST = re.compile(rf'"(?:{"|".join(MESSAGES)})"\s*:\s*\[')
KNOWN = "|".join(map(re.escape, sorted({*PEOPLE, *ASSISTANTS, *IGNORED})))
ROLE = re.compile(rf'"(?:role|sender|speaker|author|from|type)"\s*:\s*"(?:{KNOWN})"', re.IGNORECASE)
NAMED = re.compile(r'"(?:speaker|sender|author|role|from)"\s*:\s*(?:"|\{)')
SAID = re.compile(r'"(?:content|text|message|value|prompt|output|result|response|parts|utterance|body)"\s*:')


def matches(member: Member, head: bytes) -> Match:  # noqa: ARG001  (judged by content alone)
    """Know a chat by messages that say who speaks."""
    text = decode(head).text
    if not RECORDS.match(text) or not SAID.search(text):
        return Match.NO
    has_list = LIST.search(text) is not None
    is_list = text.lstrip().startswith("[") or len(first_records(head)) > 0
    known = ROLE.search(text) is not None
    return Match.LIKELY if (known and (has_list or is_list)) or (has_list and NAMED.search(text)) else Match.NO


def read(member: Member) -> Iterator[Found]:
    """Yield the conversations of a file."""
    if _is_lines(member):
        yield from _lines(member)
        return
    with member.open() as raw:
        reader = JsonReader(TextStream(raw))
        is_array, any_found = reader.peek() == "[", False
        try:
            for found in _array(reader, member) if is_array else _object(reader, member, member.name, member.origin):
                any_found = True
                yield found
            if not any_found:
                yield Left(member.origin, Omission.UNKNOWN_FILE)
        except BadJson as problem:
            yield Reject(member.origin, "the rest of the file", f"is not JSON: {problem}", REMEDY)


def _is_lines(member: Member) -> bool:
    """Whether each line is a value of its own; a document of one line is no such file."""
    head = decode(member.head()).text.strip()
    first, _, rest = head.partition("\n")
    return bool(first_records(first.encode())) and rest.lstrip().startswith("{")


def _lines(member: Member) -> Iterator[Found]:
    gathering = Gathering(NAME, member.origin)
    fields: dict[str, Any] = {}
    last: str | None = None
    with member.open() as raw:
        for line in lines_of(raw):
            record = as_record(line.value)
            if not record:
                gathering.refuse(f"line {line.number}", line.bad or "is not an object")
                continue
            if isinstance(inner := next((record[name] for name in MESSAGES if name in record), None), list):
                yield from _talk(record, as_list(inner), member, f"{member.name}#{line.number}")
                continue
            for name in IDS[2:]:
                fields.setdefault(name, record.get(name))
            last = _take(record, f"line-{line.number}", last, gathering)
    if gathering.talk.claims or gathering.refused:
        yield from _found({key: value for key, value in fields.items() if value}, gathering, member.name)


def _array(reader: JsonReader, member: Member) -> Iterator[Found]:
    """An array is a list of conversations, or one conversation as a list of messages."""
    gathering = Gathering(NAME, member.origin)
    last: str | None = None
    for place, _ in enumerate(reader.elements(), 1):
        value = reader.value()
        record = as_record(value)
        name = next((name for name in MESSAGES if isinstance(record.get(name), list)), None)
        if name is not None:
            yield from _talk(record, as_list(record[name]), member, f"{member.name}#{place}")
        elif record:
            last = _take(record, f"message-{place}", last, gathering)
        else:
            why = value.why if isinstance(value, Passed) else "is not an object"
            gathering.refuse(f"record {place}", why)
    if gathering.talk.claims or gathering.refused or gathering.left:
        yield from _found({}, gathering, member.name)


def _object(reader: JsonReader, member: Member, key: str, origin: str) -> Iterator[Found]:
    """An object is a conversation, or holds a list of them; its messages are walked one by one."""
    gathering = Gathering(NAME, origin)
    fields: dict[str, Any] = {}
    is_talk = False
    for name in reader.fields():
        mark = reader.peek()
        if name in MESSAGES and mark == "[" and not is_talk:
            is_talk = True
            _messages((reader.value() for _ in reader.elements()), gathering)
        elif name in TALKS and mark == "[":
            for place, _ in enumerate(reader.elements(), 1):
                if reader.peek() == "{":
                    yield from _object(reader, member, f"{member.name}#{place}", f"{member.origin}#{place}")
        elif mark not in "{[":
            fields[name] = reader.value()
    if is_talk:
        yield from _found(fields, gathering, key)


def _talk(record: dict[str, Any], messages: list[Any], member: Member, key: str) -> Iterator[Found]:
    gathering = Gathering(NAME, f"{member.origin}#{key.rsplit('#', 1)[-1]}")
    _messages(messages, gathering)
    yield from _found(record, gathering, key)


def _messages(values: Iterable[Any], gathering: Gathering) -> None:
    last: str | None = None
    for place, value in enumerate(values):
        record = as_record(value)
        if record:
            last = _take(record, f"message-{place}", last, gathering)
        else:
            gathering.refuse(f"message {place + 1}", value.why if isinstance(value, Passed) else "is not an object")


def _take(record: dict[str, Any], key: str, last: str | None, gathering: Gathering) -> str | None:
    """Take one message and return the key of the latest one."""
    said = read_message(record, gathering.left)
    if isinstance(said, Omission):
        gathering.left[said] += 1
        return last
    if isinstance(said, Unknown):
        gathering.refuse(key.replace("-", " "), said.why)
        return last
    key = gathering.unique(first_text(record, "uuid", "id", "message_id", "messageId") or key)
    gathering.talk.place(key, last)
    gathering.talk.say(key, said.speaker, said.role, said.text, said.at)
    return key


def _found(fields: dict[str, Any], gathering: Gathering, name: str) -> Iterator[Found]:
    key = first_text(fields, *IDS)
    begun = next((fields[field] for field in BEGUN if fields.get(field)), None)
    gathering.talk.begun = gathering.talk.instant(begun)
    yield from gathering.found(
        key or name,
        title=first_text(fields, "title", "name", "summary", "displayName"),
        updated=next((fields[field] for field in UPDATED if fields.get(field)), None),
        path=None if key else name,
    )
