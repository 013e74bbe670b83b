"""Writing an item into a mind: turns of a conversation, or a note with what it is about. Nothing is written twice."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from noosphere.clock import moment
from noosphere.harvest.digest import hash_of
from noosphere.harvest.items import ImportItem, ItemType, Reject
from noosphere.ids import uid_text
from noosphere.model.argument import read_line
from noosphere.model.draft import Draft, Turn
from noosphere.model.outcome import Duplicate, Reason, Recorded, Refused, Revised
from noosphere.model.vocabulary import Channel
from noosphere.store import evidence, nodes
from noosphere.write.candidates import compare_stored
from noosphere.write.classify import classify
from noosphere.write.record import read_about, record, switch_head
from noosphere.write.remember import remember
from noosphere.write.revise import revise
from noosphere.write.target import find
from noosphere.write.turns import OPENS

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from noosphere.harvest.items import ImportTurn
    from noosphere.store.imports import ItemRow
    from noosphere.store.mind_file import MindFile

SLICE = 4000  # turns of one conversation in one transaction: fewer and larger ones spare the full-text index its merges
WIDE = 4_000_000  # characters of them, so that few large texts are not held together


class Slices(Protocol):
    """The turns of a conversation in the order they are written, some at a time; `head` is known behind the last."""

    @property
    def head(self) -> str | None:
        """The key of the turn the conversation ends at, when its source says so."""
        ...

    def __iter__(self) -> Iterator[tuple[Sequence[ImportTurn], Container[str]]]:
        """Some turns, and which of their texts were looked through and can be stored as they are."""
        ...


@dataclass(frozen=True, slots=True)
class _Whole:
    """The turns of a conversation that was screened; `plain` are the keys of those that can be stored as they are."""

    item: ImportItem
    plain: Container[str]

    @property
    def head(self) -> str | None:
        return self.item.head

    def __iter__(self) -> Iterator[tuple[Sequence[ImportTurn], Container[str]]]:
        for turns in sliced(self.item.turns):
            yield turns, frozenset(turn.text for turn in turns if turn.key in self.plain)


def sliced(turns: Iterable[ImportTurn]) -> Iterator[list[ImportTurn]]:
    """Turns in pieces that are held together."""
    piece: list[ImportTurn] = []
    width = 0
    for turn in turns:
        piece.append(turn)
        width += len(turn.text)
        if len(piece) >= SLICE or width >= WIDE:
            yield piece
            piece, width = [], 0
    if piece:
        yield piece


@dataclass(slots=True)
class Written:
    """What became of one item.

    Attributes:
        node: what it became, if it is there.
        frame: the frame that a note's text is now, when it is new.
        parts: how many turns are in; 1 for a note.
    """

    node: str | None = None
    frame: str | None = None
    added: int = 0
    known: int = 0
    changed: int = 0
    revised: int = 0
    forgotten: int = 0
    parts: int = 0
    rejects: list[Reject] = field(default_factory=list[Reject])
    repairs: list[str] = field(default_factory=list[str])

    @property
    def complete(self) -> bool:
        """Whether all of it is in, so that it need not be tried again."""
        return not self.rejects and not self.forgotten


def write_item(
    mind: MindFile, key: str, item: ImportItem, before: ItemRow | None, plain: Container[str] = ()
) -> Written:
    """Write one item that was screened, or let in by somebody; `before` is what it was when it last came in."""
    if item.type is ItemType.CONVERSATION:
        return write_conversation(mind, key, item, before, _Whole(item, plain))
    return _note(mind, key, item, before)


def is_older(item: ImportItem, before: ItemRow | None) -> bool:
    """Whether this is an earlier state of an item than the one that is in."""
    if before is None or item.updated is None or before.updated is None:
        return False
    return item.updated < before.updated


def write_conversation(
    mind: MindFile, key: str, item: ImportItem, before: ItemRow | None, slices: Slices, *, alone: bool = False
) -> Written:
    """Write the turns of a conversation; `alone` when no other item is written in the same transactions."""
    about = read_about(
        participants=item.participants,
        title=item.title,
        source="import",
        tags=item.tags,
        metadata=_metadata(item),
    )
    done = Written()
    for turns, free in slices:
        done.parts += len(turns)
        with mind.together(rows=SLICE, channel=Channel.IMPORT, gathers=alone):
            outcome = record(mind, key, _turns(turns), about, vouched=True, free=free)
        if isinstance(outcome, Refused):
            if outcome.reason is Reason.FORGOTTEN:
                return Written(forgotten=1)
            return Written(rejects=[Reject(item.origin, "conversation", outcome.message)])
        _count(outcome, item, done)
    if slices.head is not None and done.node is not None and _may_move_head(item, before, done):
        _move_head(mind, done.node, slices.head)
    if before is not None and not is_older(item, before):
        _describe(mind, done, item)
    return done


def _turns(turns: Sequence[ImportTurn]) -> list[Turn]:
    return [
        Turn(
            key=turn.key,
            speaker=turn.speaker,
            text=turn.text,
            at=None if turn.at is None else moment(turn.at),
            speaker_role=turn.role,
            parent=OPENS if turn.parent is None else turn.parent,
        )
        for turn in turns
    ]


def _count(outcome: Recorded, item: ImportItem, done: Written) -> None:
    done.node = outcome.conversation or done.node
    done.added += len(outcome.added)
    done.known += outcome.known
    done.changed += len(outcome.changed)
    done.repairs += outcome.repairs
    done.rejects += [Reject(f"{item.origin} turn {key}", "turn", why) for key, why in outcome.refused]


def _may_move_head(item: ImportItem, before: ItemRow | None, done: Written) -> bool:
    """Whether the path ends where this export says: not when a newer one has spoken, or it brings nothing new."""
    if before is None or None not in (item.updated, before.updated):
        return not is_older(item, before) and (done.known > 0 or bool(done.rejects))  # a new path ends there by itself
    return done.added > 0


def _move_head(mind: MindFile, conversation: str, key: str) -> None:
    with mind.read() as sql:
        node = find(sql, conversation).node
    switch_head(mind, node, key)


def _note(mind: MindFile, key: str, item: ImportItem, before: ItemRow | None) -> Written:
    """Store a note once; when its text differs from the last run's, revise it."""
    there = _own_note(mind, key)
    if there is None:
        known = _known_note(mind, key, item)
        return _new_note(mind, key, item) if known is None else Written(node=known, known=1, parts=1)
    if is_older(item, before):
        return Written(node=there, known=1, parts=1)
    return _renew(mind, there, item)


def _own_note(mind: MindFile, key: str) -> str | None:
    """The note that this item became; not a memory that said the same before it came, and has its own life."""
    with mind.read() as sql:
        found = evidence.target_of_source(sql, key)
        if found is None or evidence.of(sql, found)[0].source_id != key:
            return None
        return uid_text(found)


def _known_note(mind: MindFile, key: str, item: ImportItem) -> str | None:
    """The memory of the same words of which this item is evidence already, as when two runs read it at one time."""
    with mind.read() as sql:
        found = evidence.target_of_source(sql, key)
        node = None if found is None else nodes.by_uid(sql, found)
        if node is None or nodes.current(sql, node.id).state.fold_hash != hash_of(item.text):
            return None
        return uid_text(node.uid)


def _new_note(mind: MindFile, key: str, item: ImportItem) -> Written:
    draft = Draft(
        text=item.text,
        role=item.role,
        source="import",
        title=item.title,
        tags=item.tags,
        evidence={"source_id": key, "uri": item.origin},
        said_at=None if item.at is None else moment(item.at),
        occurred=item.occurred,
        metadata=_metadata(item),
    )
    outcome = remember(mind, [draft], importing=True, vouched=True)[0]
    match outcome:
        case Duplicate():
            return Written(node=outcome.id, frame=outcome.frame, known=1, parts=1)
        case Refused(reason=Reason.FORGOTTEN):
            return Written(forgotten=1)
        case Refused():
            return Written(rejects=[Reject(item.origin, "note", outcome.message)])
        case _:
            compare_stored(mind, outcome.id, merges=False)  # it is found again by its own id, so it stays a node
            return Written(node=outcome.id, frame=outcome.frame, added=1, parts=1, repairs=list(outcome.repairs))


def _renew(mind: MindFile, id: str, item: ImportItem) -> Written:
    said = None if item.at is None else moment(item.at)
    outcome = revise(mind, id, item.text, said_at=said)
    match outcome:
        case Revised():
            done = Written(node=id, frame=outcome.frame, revised=1, parts=1, repairs=list(outcome.repairs))
        case Refused(reason=Reason.FORGOTTEN):
            return Written(forgotten=1)
        case Refused(reason=Reason.UNCHANGED):
            done = Written(node=id, known=1, parts=1)
        case Refused():
            return Written(rejects=[Reject(item.origin, "note", outcome.message)])
    _describe(mind, done, item)
    return done


def _describe(mind: MindFile, done: Written, item: ImportItem) -> None:
    """Bring the title, the metadata and the tags of what was there up to date."""
    if done.node is None:
        return
    with mind.read() as sql:
        state = nodes.current(sql, find(sql, done.node).node.id).state
    changes: dict[str, Any] = {"add_tags": item.tags} if item.tags else {}
    if read_line(item.title, "title") != state.title:
        changes["title"] = item.title
    if _told(_metadata(item)) != _told(json.loads(state.metadata or "{}")):
        changes["metadata"] = _metadata(item)
    if changes:
        classify(mind, done.node, changes)


def _told(metadata: dict[str, Any]) -> dict[str, Any]:
    """Metadata without the origin: an archive has another name with every download."""
    return {name: value for name, value in metadata.items() if name != "origin"}


def _metadata(item: ImportItem) -> dict[str, Any]:
    return {**item.metadata, "source": item.source, "origin": item.origin}
