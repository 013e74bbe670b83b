"""The store of Cursor's command line, a database for each session: its root names the messages by their hashes.

The row "0" of `meta` is JSON in hexadecimal. The root is a protobuf message whose field 1, repeated, holds the hashes
of the messages in order; a message is JSON with a role and its content. This form is known from public descriptions,
not from the program's own documents; what has another form is a reject, and never a guess.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapters.agent_text import spoken, texts_of
from noosphere.harvest.adapters.gathering import REMEDY, Gathering
from noosphere.harvest.encoding import decode
from noosphere.harvest.items import USER, Found, Left, Omission, Reject, TurnRole
from noosphere.harvest.untrusted import as_record, as_text, first_text
from noosphere.store.foreign import key_values

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from noosphere.harvest.members import Member

SOURCE, SPEAKER = "cursor", "Cursor"
META, BLOBS = "meta", "blobs"
MARKS = (b"CREATE TABLE blobs", b"CREATE TABLE meta")
MESSAGE_FIELD = 1  # of the root
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5  # kinds of fields of a protobuf message
LEFT = {
    "system": Omission.SYSTEM_MESSAGE,
    "developer": Omission.SYSTEM_MESSAGE,
    "tool": Omission.TOOL_OUTPUT,
}


def read_store(member: Member, path: Path) -> Iterator[Found]:
    """Yield the session of a store.

    Raises:
        Unreadable: the database cannot be read.
    """
    about = _about(path)
    root = first_text(about, "latestRootBlobId")
    if root is None:
        yield Left(member.origin, Omission.EMPTY_CONVERSATION)
        return
    data = _blob(path, root)
    hashes = None if data is None else message_hashes(data)
    if hashes is None:
        yield Reject(member.origin, "session", "its list of messages is not there, or has another form", REMEDY)
        return
    gathering = Gathering(SOURCE, member.origin)
    last: str | None = None
    for place, name in enumerate(hashes, 1):
        last = _message(_blob(path, name), name, place, last, gathering)
    gathering.talk.begun = gathering.talk.instant(about.get("createdAt"))
    own = first_text(about, "agentId")
    yield from gathering.found(
        own or member.name,
        title=first_text(about, "name"),
        path=None if own else member.name,
        metadata={"model": first_text(about, "lastUsedModel")},
    )


def message_hashes(root: bytes) -> list[str] | None:
    """The hashes that the root names, in order; None when it is no message of protobuf."""
    found: list[str] = []
    at = 0
    while at < len(root):
        tag = _varint(root, at)
        if tag is None:
            return None
        (field, kind), at = divmod(tag[0], 8), tag[1]
        if kind == VARINT:
            value = _varint(root, at)
            end = None if value is None else value[1]
        elif kind == BYTES:
            size = _varint(root, at)
            end = None if size is None else size[1] + size[0]
            if size is not None and field == MESSAGE_FIELD:
                found.append(root[size[1] : end].hex())
        else:
            end = at + {FIXED64: 8, FIXED32: 4}[kind] if kind in (FIXED64, FIXED32) else None
        if end is None or end > len(root):
            return None
        at = end
    return found


def _varint(data: bytes, at: int) -> tuple[int, int] | None:
    """A number in the variable form of protobuf, and where it ends."""
    value = 0
    for place, byte in enumerate(data[at : at + 10]):
        value |= (byte & 0x7F) << 7 * place
        if byte < 0x80:  # noqa: PLR2004  (the high bit says that the number goes on)
            return value, at + place + 1
    return None


def _about(path: Path) -> dict[str, Any]:
    for key, value in key_values(path, META, "0"):
        if key == "0":
            text = decode(value).text.strip()
            try:
                return as_record(json.loads(text if text.startswith("{") else bytes.fromhex(text)))
            except (ValueError, RecursionError):
                return {}
    return {}


def _blob(path: Path, name: str) -> bytes | None:
    return next((value for key, value in key_values(path, BLOBS, name, ("id", "data")) if key == name), None)


def _message(data: bytes | None, name: str, place: int, last: str | None, gathering: Gathering) -> str | None:
    """Take one message and return the key of the latest turn."""
    try:
        message = {} if data is None else as_record(json.loads(decode(data).text))
    except (ValueError, RecursionError):
        message = {}
    role = as_text(message.get("role"))
    if role is None:
        gathering.refuse(f"message {place}", "is not in the file" if data is None else "is of no known form")
        return last
    if role in LEFT:
        gathering.left[LEFT[role]] += 1
        return last
    left: list[Omission] = []
    texts = texts_of(message.get("content"), left.append)
    gathering.left.update(left)
    if texts is None or role not in ("user", "assistant"):
        why = "its content is neither text nor a list" if texts is None else f"has no role that is known: {role:.40}"
        gathering.refuse(f"message {place}", why)
        return last
    is_person = role == "user"
    words = "\n\n".join(filter(None, map(spoken, texts))) if is_person else "\n\n".join(texts)
    if not words.strip():
        if texts or not left:
            gathering.left[Omission.HIDDEN_MESSAGE if texts else Omission.EMPTY_MESSAGE] += 1
        return last
    key = gathering.unique(name)
    gathering.talk.place(key, last)
    who = (USER, TurnRole.USER) if is_person else (SPEAKER, TurnRole.ASSISTANT)
    gathering.talk.say(key, *who, words, None)
    return key
