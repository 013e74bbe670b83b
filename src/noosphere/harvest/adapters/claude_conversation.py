"""One conversation of a claude.ai export, walked message by message."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapters.gathering import Gathering
from noosphere.harvest.items import USER, Found, Omission, Reject, TurnRole
from noosphere.harvest.jsonstream import JsonReader, Passed
from noosphere.harvest.untrusted import as_list, as_record, as_text, fingerprint, first_text

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "claude"
SPEAKER = "Claude"
REMEDY = "Ask Claude for a new export, or repair the file, and harvest again: what is in already is not added twice"
ROOT = "00000000-0000-4000-8000-000000000000"  # the parent of every first message
PLACEHOLDER = re.compile(
    r"(?:```[^\n]*\n)?[ \t]*This block is not supported on your current device yet\.[ \t]*(?:\n```)?"
)
ROLES = {
    "human": (USER, TurnRole.USER),
    "user": (USER, TurnRole.USER),
    "assistant": (SPEAKER, TurnRole.ASSISTANT),
}
ARTIFACT_TOOLS = frozenset({"artifacts", "artifact", "create_artifact"})
BLOCKS = {
    "thinking": Omission.REASONING,
    "redacted_thinking": Omission.REASONING,
    "tool_use": Omission.TOOL_CALL,
    "server_tool_use": Omission.TOOL_CALL,
    "tool_result": Omission.TOOL_OUTPUT,
}
FIELDS = frozenset(
    {"uuid", "id", "name", "title", "created_at", "updated_at", "model", "current_leaf_message_uuid", "project_uuid"}
    | {"is_starred"}
)


def read_conversation(reader: JsonReader, origin: str) -> Iterator[Found]:
    """Yield the conversation that stands here and what was left out of it.

    Raises:
        BadJson: the text stops being JSON.
    """
    if reader.peek() != "{":
        value = reader.value()
        yield Reject(origin, "conversation", value.why if isinstance(value, Passed) else "is not an object", REMEDY)
        return
    fields: dict[str, Any] = {}
    gathering = Gathering(NAME, origin)
    has_messages = False
    for name in reader.fields():
        if name == "chat_messages" and reader.peek() == "[":
            has_messages = True
            _messages(reader, gathering)
        elif name in FIELDS:
            fields[name] = reader.value()
    if not has_messages:
        key = first_text(fields, "uuid", "id")
        yield Reject(origin, f"conversation {key}" if key else "conversation", "has no list of messages", REMEDY)
        return
    gathering.talk.begun = gathering.talk.instant(fields.get("created_at"))
    yield from gathering.found(
        first_text(fields, "uuid", "id") or _made_id(fields, gathering),
        title=first_text(fields, "name", "title"),
        current=as_text(fields.get("current_leaf_message_uuid")),
        updated=fields.get("updated_at"),
        metadata={name: fields.get(name) for name in ("model", "project_uuid", "is_starred")},
    )


def _made_id(fields: dict[str, Any], gathering: Gathering) -> str:
    gathering.talk.notes.append("the conversation has no id; one is made of its time and first message")
    seed = f"{fields.get('created_at')}\n{next(iter(gathering.talk.claims), '')}"
    return f"made-{hashlib.sha256(seed.encode('utf-8', 'replace')).hexdigest()[:32]}"


def _messages(reader: JsonReader, gathering: Gathering) -> None:
    last: str | None = None
    prints: dict[str, bytes] = {}
    for place, _ in enumerate(reader.elements()):
        value = reader.value()
        if not isinstance(value, dict):
            why = value.why if isinstance(value, Passed) else "is not an object"
            gathering.refuse(f"message {place + 1}", why)
            continue
        message = as_record(value)
        own = first_text(message, "uuid", "id")
        key, print_ = own or f"message-{place}", fingerprint(message)
        if own and prints.get(own) == print_:
            gathering.left[Omission.REPEATED_MESSAGE] += 1
            continue
        prints[key] = print_
        key = gathering.unique(key)
        gathering.talk.place(key, _parent(message, last))
        last = key
        _say(message, key, gathering)


def _parent(message: dict[str, Any], last: str | None) -> str | None:
    """The message it answers; exports without a tree are chains."""
    if "parent_message_uuid" not in message:
        return last
    parent = as_text(message["parent_message_uuid"])
    return None if parent == ROOT else parent


def _say(message: dict[str, Any], key: str, gathering: Gathering) -> None:
    sender = first_text(message, "sender", "role")
    if sender == "system":
        gathering.left[Omission.SYSTEM_MESSAGE] += 1
    elif (speaker := ROLES.get((sender or "").lower())) is None:
        gathering.refuse(f"message {key}", f"has no sender that is known: {sender}")
    elif words := _words(message, gathering):
        gathering.talk.say(key, *speaker, words, message.get("created_at"))
    else:
        gathering.left[Omission.EMPTY_MESSAGE] += 1


def _words(message: dict[str, Any], gathering: Gathering) -> str:
    content = message.get("content")
    said = [content] if as_text(content) else [_block(block, gathering) for block in as_list(content)]
    words = [text for part in said if (text := _clean(part))]
    has_text = any(as_record(block).get("type") == "text" for block in as_list(content))
    if not (words and (has_text or as_text(content))) and (text := _clean(as_text(message.get("text")))):
        words.insert(0, text)
    for entry in as_list(message.get("attachments")):
        attachment = as_record(entry)
        if text := first_text(attachment, "extracted_content"):
            name = first_text(attachment, "file_name")
            words.append(f"{name}:\n{text}" if name else text)
    return "\n\n".join(words)


def _block(value: Any, gathering: Gathering) -> str | None:
    block = as_record(value)
    kind = first_text(block, "type")
    if kind == "text" or (kind is None and first_text(block, "text")):
        return first_text(block, "text")
    if kind == "tool_use" and (text := _artifact(block)):
        return text
    if kind in BLOCKS:
        gathering.left[BLOCKS[kind]] += 1
    return None


def _artifact(block: dict[str, Any]) -> str | None:
    """The text of a document Claude wrote beside its reply; a change of some lines is not one."""
    given = as_record(block.get("input"))
    text = first_text(given, "content")
    if first_text(block, "name") not in ARTIFACT_TOOLS or text is None:
        return None
    title = first_text(given, "title")
    return f"{title}:\n{text}" if title else text


def _clean(text: str | None) -> str | None:
    return as_text(PLACEHOLDER.sub("", text).strip("\n")) if text else None
