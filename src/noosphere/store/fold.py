"""The fold: a memory's text, made of its I frame and the P frames that follow it, joined by newlines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.model.vocabulary import FrameType
from noosphere.store import frames

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.frames import FrameRow

JOINT = "\n"


def fold(sql: Connection, head: int) -> str | None:
    """The text whose last frame is `head`; None when it was purged.

    A fold is keyed by its last frame, so every text a memory ever had keeps a key of its own.
    """
    last = frames.by_id(sql, head)
    if last.type is not FrameType.P or last.is_turn:
        return last.text
    texts = [p.text for p in _parts(sql, last) if p.text is not None]
    return JOINT.join(texts) if texts else None


def _parts(sql: Connection, last: FrameRow) -> list[FrameRow]:
    """The I frame and its patches up to `last`, without those that had been undone when it was added."""
    base = frames.by_id(sql, last.base or 0)
    patches = [p for p in frames.patches(sql, base.id) if p.seq <= last.seq]
    if len({p.seq for p in patches}) < len(patches):
        under = _under(sql, last)
        patches = [p for p in patches if p.id in under]
    return [base, *patches]


def _under(sql: Connection, last: FrameRow) -> set[int]:
    """The heads this one was put on, one upon the other, as the versions of its node tell; itself included."""
    below: dict[int, int] = {}
    before = 0
    for (head,) in sql.execute("SELECT head FROM node_version WHERE node = ? ORDER BY n", (last.node,)):
        below.setdefault(head, before)
        before = head
    found: set[int] = set()
    step = last.id
    while step and step not in found:
        found.add(step)
        step = below[step]
    return found
