"""One conversation of a ChatGPT export: its tree of messages as turns, memories, and counts of what was left out.

It is walked message by message and never held whole: one conversation may have hundreds of megabytes.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapters.chatgpt_message import Kept, Said, Unreadable, read_message
from noosphere.harvest.items import Found, ImportItem, ItemType, Left, Omission, Reject
from noosphere.harvest.jsonstream import JsonReader, Passed
from noosphere.harvest.talk import Talk
from noosphere.harvest.times import read_instant
from noosphere.harvest.tree import grown, keep_only
from noosphere.harvest.untrusted import as_flag, as_plain, as_record, as_text, as_texts, fingerprint, first_text
from noosphere.model.when import iso

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "chatgpt"
MEMORY_TAG = "chatgpt-memory"
REMEDY = "Ask ChatGPT for a new export, or repair the file, and harvest again: what is in already is not added twice"
METADATA = ("is_archived", "is_starred", "gizmo_id", "memory_scope", "conversation_origin", "voice")
FIELDS = frozenset(
    {"conversation_id", "id", "title", "create_time", "update_time", "current_node", "is_do_not_remember"}
    | {"default_model_slug", "model_slug", *METADATA}
)


@dataclass(slots=True)
class _Read:
    """The messages of a conversation as far as they were read."""

    talk: Talk = field(default_factory=Talk)
    messages: dict[str, None] = field(default_factory=dict[str, None])
    kept: dict[str, tuple[str, Any]] = field(default_factory=dict[str, tuple[str, Any]])
    left: Counter[Omission] = field(default_factory=Counter[Omission])
    unreadable: dict[str, str] = field(default_factory=dict[str, str])
    unread: Counter[str] = field(default_factory=Counter[str])
    seen: dict[str, bytes] = field(default_factory=dict[str, bytes])
    model: str | None = None

    def take(self, key: str, value: Any, parent: str | None, children: tuple[str, ...] = ()) -> None:
        """Read one message; `value` is None where a node of the tree has none."""
        self.talk.place(key, parent, children)
        if value is None:
            return
        self.messages[key] = None
        message = as_record(value)
        match Unreadable(value.why) if isinstance(value, Passed) else read_message(value):
            case Said() as said:
                self.talk.say(key, said.speaker, said.role, said.text, message.get("create_time"))
                self.unread.update(said.unread)
                self.model = first_text(as_record(message.get("metadata")), "model_slug") or self.model
            case Kept(text):
                self.kept[key] = text, message.get("create_time")
            case Unreadable(why):
                self.unreadable[key] = why
            case Omission() as omission:
                self.left[omission] += 1


def read_conversation(reader: JsonReader, origin: str, *, surely: bool = True) -> Iterator[Found]:
    """Yield the conversation that stands here and what was left out of it; nothing but broken JSON is raised.

    Args:
        reader: stands before the conversation.
        origin: its place, for people.
        surely: what has no messages is a broken conversation, and not something else.

    Raises:
        BadJson: the text stops being JSON.
    """
    if reader.peek() != "{":
        value = reader.value()
        if surely:
            yield Reject(origin, "conversation", value.why if isinstance(value, Passed) else "is not an object", REMEDY)
        return
    fields: dict[str, Any] = {}
    tree: _Read | None = None
    flat: _Read | None = None
    for name in reader.fields():
        mark = reader.peek()
        if name == "mapping" and mark == "{":
            tree = _of_nodes(reader)
        elif name == "messages" and mark == "[":
            flat = _of_list(reader)
        elif name == "mapping" or name in FIELDS:
            fields[name] = reader.value()
    read = tree if tree is not None and (tree.talk.claims or not flat) else flat
    if read is not None:
        yield from _found(fields, read, origin)
    elif surely:
        yield _reject(fields, origin)


def _of_nodes(reader: JsonReader) -> _Read:
    read = _Read()
    for name in reader.fields():
        key, node = name, reader.value()
        while key in read.talk.claims:
            key = f"{key}#{len(read.talk.claims)}"
        if isinstance(node, dict):
            record = as_record(node)
            read.take(
                key, record.get("message"), as_text(record.get("parent")), tuple(as_texts(record.get("children")))
            )
        else:
            read.take(key, node, None)
    return read


def _of_list(reader: JsonReader) -> _Read:
    """A flat list is a chain; a message that is there twice is counted once."""
    read = _Read()
    last = None
    for place, _ in enumerate(reader.elements()):
        message = reader.value()
        key = first_text(as_record(message), "id") or f"message-{place}"
        print_ = fingerprint(message)
        if read.seen.get(key) == print_:
            read.left[Omission.REPEATED_MESSAGE] += 1
            continue
        while key in read.talk.claims:
            key = f"{key}#{place}"
        read.seen[key] = print_
        read.take(key, Passed("is not an object") if message is None else message, last)
        last = key
    return read


def _reject(fields: dict[str, Any], origin: str) -> Reject:
    name, mapping = first_text(fields, "conversation_id", "id"), fields.get("mapping")
    why = "has no mapping of messages" if mapping is None else "its mapping of messages is not an object"
    return Reject(origin, f"conversation {name}" if name else "conversation", why, REMEDY)


def _found(fields: dict[str, Any], read: _Read, origin: str) -> Iterator[Found]:
    repeated = read.left[Omission.REPEATED_MESSAGE]
    if read.messages and as_flag(fields.get("is_do_not_remember")):
        yield Left(origin, Omission.DO_NOT_REMEMBER, len(read.messages) + repeated)
        return
    if read.talk.said or read.kept:
        yield from _items(fields, read, origin)
    if not read.talk.said:
        yield Left(origin, Omission.EMPTY_CONVERSATION)
    yield from (Left(origin, what, count) for what, count in read.left.items() if count)
    for key, why in read.unreadable.items():
        yield Reject(origin, f"message {key}", why, REMEDY)


def _items(fields: dict[str, Any], read: _Read, origin: str) -> Iterator[ImportItem]:
    talk = read.talk
    key = first_text(fields, "conversation_id", "id") or _made_id(fields, read)
    talk.begun = talk.instant(fields.get("create_time"))
    if talk.said:
        turns, head = talk.turns(as_text(fields.get("current_node")))
        talk.notes.extend(f"parts of kind {kind} hold no words we know of: {n}" for kind, n in read.unread.items())
        updated = read_instant(fields.get("update_time"))
        talk.claims.clear()  # the turns have their places; of a large conversation these take a third of all
        read.messages.clear()
        yield ImportItem(
            id=key,
            source=NAME,
            type=ItemType.CONVERSATION,
            title=_title(fields),
            origin=origin,
            at=talk.first_at(),
            updated=updated.at if updated else talk.last_at(),
            turns=turns,
            participants=talk.speakers(),
            head=head,
            metadata=_metadata(fields, read),
            notes=tuple(dict.fromkeys(talk.notes)),
        )
    for message, (text, at) in read.kept.items():
        said = talk.instant(at)
        yield ImportItem(
            id=f"{key}/memory/{message}",
            source=NAME,
            type=ItemType.NOTE,
            title=None,
            origin=origin,
            at=talk.begun if said is None else said,
            text=text,
            tags=(MEMORY_TAG,),
            metadata={"conversation": key, "message": message},
        )


def _metadata(fields: dict[str, Any], read: _Read) -> dict[str, Any]:
    """What is told of it beside its words; the model is the last message's, or newer exports name it themselves."""
    told = {name: as_plain(value) for name in METADATA if (value := fields.get(name))}
    updated = read_instant(fields.get("update_time"))
    model = first_text(fields, "default_model_slug", "model_slug") or read.model
    return told | ({"updated": iso(updated.at)} if updated else {}) | ({"model": model} if model else {})


def _title(fields: dict[str, Any]) -> str | None:
    title = as_text(fields.get("title"))
    return " ".join(title.split()) if title else None


def _made_id(fields: dict[str, Any], read: _Read) -> str:
    """An id for a conversation that brings none: of its time and first message, which growing does not change."""
    read.talk.notes.append("the conversation has no id; one is made of its time and first message")
    parents = keep_only(grown(read.talk.claims).parents, read.messages)
    first = min(key for key, parent in parents.items() if parent is None)
    seed = f"{fields.get('create_time')}\n{first}"
    return f"made-{hashlib.sha256(seed.encode('utf-8', 'replace')).hexdigest()[:32]}"
