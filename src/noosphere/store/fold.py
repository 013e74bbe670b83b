"""The fold: a memory's text, made of its I frame and the P frames that follow it, joined by newlines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.model.vocabulary import FrameType
from noosphere.store import frames

if TYPE_CHECKING:
    from noosphere.store.connection import Connection

JOINT = "\n"


def fold(sql: Connection, head: int) -> str | None:
    """The text whose last frame is `head`; None when it was purged.

    A fold is keyed by its last frame, so every text a memory ever had keeps a key of its own.
    """
    last = frames.by_id(sql, head)
    if last.type is not FrameType.P or last.is_turn:
        return last.text
    base = frames.by_id(sql, last.base or 0)
    parts = [base, *(p for p in frames.patches(sql, base.id) if p.seq <= last.seq)]
    texts = [p.text for p in parts if p.text is not None]
    return JOINT.join(texts) if texts else None
