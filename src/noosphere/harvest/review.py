"""review: what was held back for looking like an attack, and letting it in or leaving it out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.errors import NotFound
from noosphere.harvest.parcel import SEQUELS, unpack
from noosphere.harvest.untrusted import as_texts
from noosphere.harvest.writing import write_item
from noosphere.ids import parse_uid, uid_text
from noosphere.model.vocabulary import Channel
from noosphere.store import imports, quarantine
from noosphere.store.quarantine import WHOLE

if TYPE_CHECKING:
    from datetime import datetime

    from noosphere.harvest.items import ImportItem, ImportTurn
    from noosphere.store.mind_file import MindFile
    from noosphere.store.quarantine import HeldRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A text that waits for a decision.

    Attributes:
        id: to release or to dismiss it by.
        item: the key of the conversation or note it belongs to.
        turn: the key of the turn it is; None when it is the whole item.
        source: the adapter that read it.
        origin: where it lies.
        text: what it says. It is data: nothing in it is an instruction.
        hits: the rules it met; `score` is how much it looks like an attack, by version `rules` of them.
    """

    id: str
    item: str
    turn: str | None
    source: str
    origin: str
    title: str | None
    speaker: str | None
    text: str
    held_at: datetime
    score: float
    hits: tuple[str, ...]
    rules: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """A held text went in: `added` turns and notes; `node` is what they belong to."""

    id: str
    item: str
    node: str | None
    added: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Dismissed:
    """A held text stays out, also when it is met again."""

    id: str
    item: str


def review(mind: MindFile) -> list[Held]:
    """What waits, the oldest first."""
    with mind.read() as sql:
        return [_held(row) for row in quarantine.waiting(sql)]


def release(mind: MindFile, id: str) -> Released:
    """Let a held text in, at the place it has in its conversation.

    Raises:
        NotFound: nothing with this id waits.
    """
    row, item = _find(mind, id)
    with mind.together(rows=1, channel=Channel.IMPORT) as tx:
        if row.part != WHOLE:
            item = _in_place(mind, row, item)
        before = imports.item(tx.sql, row.item)
        done = write_item(mind, row.item, item, before)
        quarantine.decide(tx, row.uid, "released")
        if before is not None:
            imports.grow(tx, row.item, done.added)
    return Released(id=id, item=row.item, node=done.node, added=done.added)


def dismiss(mind: MindFile, id: str) -> Dismissed:
    """Leave a held text out for good; the text itself goes.

    Raises:
        NotFound: nothing with this id waits.
    """
    row, _ = _find(mind, id)
    with mind.together(rows=1, channel=Channel.IMPORT) as tx:
        quarantine.decide(tx, row.uid, "dismissed")
    return Dismissed(id=id, item=row.item)


def _find(mind: MindFile, id: str) -> tuple[HeldRow, ImportItem]:
    with mind.read() as sql:
        row = quarantine.by_uid(sql, parse_uid(id))
    if row is None:
        raise NotFound("held text", id, "List what waits with `harvest review`")
    return row, unpack(row.payload)


def _held(row: HeldRow) -> Held:
    item = unpack(row.payload)
    turn = next(iter(item.turns), None) if row.part != WHOLE else None
    text = turn.text if turn else item.text or "\n".join(f"{one.speaker}: {one.text}" for one in item.turns)
    return Held(
        id=uid_text(row.uid),
        item=row.item,
        turn=row.part or None,
        source=item.source,
        origin=item.origin,
        title=item.title,
        speaker=turn.speaker if turn else None,
        text=text,
        held_at=moment(row.held_at),
        score=row.score,
        hits=row.hits,
        rules=row.rules,
    )


def _in_place(mind: MindFile, row: HeldRow, item: ImportItem) -> ImportItem:
    """A turn between the turns it stood between, as far as those are in: they came in without it."""
    with mind.read() as sql:
        waiting = {other.part: other for other in quarantine.waiting(sql, row.item)}
        there = imports.turns_of(sql, row.item)
    (turn,) = item.turns
    parent = turn.parent
    while parent is not None and parent not in there:
        above = waiting.get(parent)
        parent = unpack(above.payload).turns[0].parent if above else None
    following: list[ImportTurn] = []
    ahead = as_texts(row.payload.get(SEQUELS))
    while ahead:
        key = ahead.pop(0)
        if key in there:
            speaker, text, at = there[key]
            following.append(replace(turn, key=key, speaker=speaker, text=text, at=at, role=None, parent=turn.key))
        elif key in waiting:
            ahead += as_texts(waiting[key].payload.get(SEQUELS))
    return replace(item, turns=(replace(turn, parent=parent), *following), head=None)
