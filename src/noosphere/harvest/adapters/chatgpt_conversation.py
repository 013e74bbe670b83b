"""One conversation of a ChatGPT export: its tree of messages as turns, memories, and counts of what was left out."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapters.chatgpt_message import Kept, Reading, Said, Unreadable, read_message
from noosphere.harvest.items import Found, ImportItem, ImportTurn, ItemType, Left, Omission, Reject
from noosphere.harvest.jsonstream import MAX_DEPTH, TooDeep
from noosphere.harvest.times import read_instant
from noosphere.harvest.tree import Claim, keep_only, leaves, nearest, path_first, settle
from noosphere.harvest.untrusted import as_flag, as_list, as_plain, as_record, as_text, as_texts, first_text
from noosphere.model.when import iso

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NAME = "chatgpt"
MEMORY_TAG = "chatgpt-memory"
REMEDY = "Ask ChatGPT for a new export, or repair the file, and harvest again: what is in already is not added twice"
METADATA = ("is_archived", "is_starred", "gizmo_id", "memory_scope", "conversation_origin", "voice")

Times = dict[str, int | None]


@dataclass(frozen=True, slots=True)
class _Raw:
    """A conversation's messages by key, with what each claims of its place."""

    messages: dict[str, Any]
    claims: dict[str, Claim]
    repeated: int = 0


def read_conversation(value: Any, origin: str) -> Iterator[Found]:
    """Yield one conversation and what was left out of it; whatever the value is, nothing is raised."""
    record = as_record(value)
    name = first_text(record, "conversation_id", "id")
    raw = _raw(value, record)
    if isinstance(raw, str):
        yield Reject(origin, f"conversation {name}" if name else "conversation", raw, REMEDY)
        return
    if raw.messages and as_flag(record.get("is_do_not_remember")):
        yield Left(origin, Omission.DO_NOT_REMEMBER, len(raw.messages) + raw.repeated)
        return
    readings = {key: read_message(message) for key, message in raw.messages.items()}
    if any(isinstance(reading, (Said, Kept)) for reading in readings.values()):
        yield from _Talk(record, raw, readings, origin).items()
    if not any(isinstance(reading, Said) for reading in readings.values()):
        yield Left(origin, Omission.EMPTY_CONVERSATION)
    yield from _left(readings, origin, raw.repeated)


def _raw(value: Any, record: dict[str, Any]) -> _Raw | str:
    """Find the messages, or say why there are none."""
    mapping, messages = record.get("mapping"), record.get("messages")
    if isinstance(value, TooDeep):
        return f"is nested deeper than {MAX_DEPTH} levels"
    if not isinstance(value, dict):
        return "is not an object"
    if isinstance(mapping, dict) and (mapping or not as_list(messages)):
        return _of_nodes(as_record(mapping))
    if isinstance(messages, list):
        return _of_list(as_list(messages))
    return "has no mapping of messages" if mapping is None else "its mapping of messages is not an object"


def _of_nodes(mapping: dict[str, Any]) -> _Raw:
    claims = {
        key: Claim(as_text(as_record(node).get("parent")), tuple(as_texts(as_record(node).get("children"))))
        for key, node in mapping.items()
    }
    held = {key: as_record(node).get("message") if isinstance(node, dict) else node for key, node in mapping.items()}
    return _Raw({key: message for key, message in held.items() if message is not None}, claims)


def _of_list(messages: list[Any]) -> _Raw:
    """A flat list is a chain; a message that is there twice is counted once."""
    by_key: dict[str, Any] = {}
    claims: dict[str, Claim] = {}
    repeated, last = 0, None
    for place, message in enumerate(messages):
        key = first_text(as_record(message), "id") or f"message-{place}"
        if key in by_key and by_key[key] == message:
            repeated += 1
            continue
        while key in by_key:
            key = f"{key}#{place}"
        by_key[key], claims[key] = message, Claim(last)
        last = key
    return _Raw(by_key, claims, repeated)


class _Talk:
    """A conversation being put together; `notes` gathers what had to be mended."""

    def __init__(self, record: dict[str, Any], raw: _Raw, readings: Mapping[str, Reading], origin: str) -> None:
        self.record = record
        self.raw = raw
        self.readings = readings
        self.said = {key: reading for key, reading in readings.items() if isinstance(reading, Said)}
        self.origin = origin
        self.notes: list[str] = []
        self.id = first_text(record, "conversation_id", "id") or self._made_id()
        self.begun = self._instant(record.get("create_time"))

    def items(self) -> Iterator[ImportItem]:
        if self.said:
            yield self._conversation()
        for key, reading in self.readings.items():
            if isinstance(reading, Kept):
                yield self._memory(key, reading)

    def _conversation(self) -> ImportItem:
        tree = settle(self.raw.claims)
        self.notes.extend(tree.repairs)
        own = {key: self._instant(self.raw.messages[key].get("create_time")) for key in self.said}
        parents = keep_only(tree.parents, self.said)
        head = self._head(tree.parents, parents, own)
        turns = self._turns(parents, path_first(parents, head), own)
        self._say_unread()
        return ImportItem(
            id=self.id,
            source=NAME,
            type=ItemType.CONVERSATION,
            title=self._title(),
            origin=self.origin,
            at=self.begun if self.begun is not None else min((t.at for t in turns if t.at is not None), default=None),
            turns=turns,
            participants=tuple(dict.fromkeys(turn.speaker for turn in turns)),
            head=head,
            metadata=self._metadata(),
            notes=tuple(dict.fromkeys(self.notes)),
        )

    def _head(self, nodes: Mapping[str, str | None], parents: Mapping[str, str | None], own: Times) -> str:
        """The turn the current path ends at; where the export does not say, the end of the newest branch."""
        claimed = as_text(self.record.get("current_node"))
        head = nearest(nodes, self.said, claimed) if claimed in nodes else None
        if head is not None:
            return head
        ends = leaves(parents)
        if claimed is not None or len(ends) > 1:
            self.notes.append("no current message to be found; the end of the newest branch is taken")
        at = {key: time for key, time in own.items() if time is not None}
        return max(ends, key=lambda key: (at.get(key, 0), ends.index(key)))

    def _turns(self, parents: Mapping[str, str | None], order: list[str], own: Times) -> tuple[ImportTurn, ...]:
        """The turns in order; one without a time takes that of the turn it answers, so that it is not new today."""
        times: dict[str, int | None] = {}
        for key in order:
            parent = parents[key]
            before = times[parent] if parent is not None else self.begun
            times[key] = before if own[key] is None else own[key]
        borrowed = sum(own[key] is None and times[key] is not None for key in order)
        if borrowed:
            self.notes.append(f"messages without a time, given that of what came before: {borrowed}")
        return tuple(
            ImportTurn(
                key=key, speaker=said.speaker, text=said.text, at=times[key], role=said.role, parent=parents[key]
            )
            for key in order
            for said in (self.said[key],)
        )

    def _memory(self, key: str, kept: Kept) -> ImportItem:
        at = self._instant(self.raw.messages[key].get("create_time"))
        return ImportItem(
            id=f"{self.id}/memory/{key}",
            source=NAME,
            type=ItemType.NOTE,
            title=None,
            origin=self.origin,
            at=self.begun if at is None else at,
            text=kept.text,
            tags=(MEMORY_TAG,),
            metadata={"conversation": self.id, "message": key},
        )

    def _metadata(self) -> dict[str, Any]:
        told = {name: as_plain(value) for name in METADATA if (value := self.record.get(name))}
        updated = read_instant(self.record.get("update_time"))
        model = first_text(self.record, "default_model_slug", "model_slug") or self._model()
        return told | ({"updated": iso(updated.at)} if updated else {}) | ({"model": model} if model else {})

    def _model(self) -> str | None:
        """The model of the last message that names one; newer exports name it on the conversation instead."""
        named = (first_text(as_record(self.raw.messages[key].get("metadata")), "model_slug") for key in self.said)
        return next((model for model in reversed(list(named)) if model), None)

    def _title(self) -> str | None:
        title = as_text(self.record.get("title"))
        return " ".join(title.split()) if title else None

    def _instant(self, value: Any) -> int | None:
        instant = read_instant(value)
        if instant is not None and instant.repair:
            self.notes.append(instant.repair)
        return instant.at if instant else None

    def _say_unread(self) -> None:
        kinds = Counter(kind for said in self.said.values() for kind in said.unread)
        self.notes.extend(f"parts of kind {kind} hold no words we know of: {count}" for kind, count in kinds.items())

    def _made_id(self) -> str:
        """An id for a conversation that brings none: of its time and first message, which growing does not change."""
        self.notes.append("the conversation has no id; one is made of its time and first message")
        parents = keep_only(settle(self.raw.claims).parents, self.raw.messages)
        first = min(key for key, parent in parents.items() if parent is None)
        seed = f"{self.record.get('create_time')}\n{first}"
        return f"made-{hashlib.sha256(seed.encode('utf-8', 'replace')).hexdigest()[:32]}"


def _left(readings: dict[str, Reading], origin: str, repeated: int) -> Iterator[Found]:
    counts = Counter(reading for reading in readings.values() if isinstance(reading, Omission))
    counts[Omission.REPEATED_MESSAGE] += repeated
    yield from (Left(origin, what, count) for what, count in counts.items() if count)
    for key, reading in readings.items():
        if isinstance(reading, Unreadable):
            yield Reject(origin, f"message {key}", reading.why, REMEDY)
