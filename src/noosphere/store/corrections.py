"""What a correction or an ending may refer to: what a session said lately, what fills a slot, what holds some words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from noosphere.records import dataclass
from noosphere.store.fold import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.store.connection import Connection
    from noosphere.store.slots import SlotKey

MOST = 200  # memories of one subject that are looked through
LATELY = 30  # memories of a session that a correction can reach back to


@dataclass(frozen=True, slots=True)
class Said:
    """A memory in use, with its text and when it was said or recorded."""

    node: int
    text: str
    at: int
    slot: tuple[str, str] | None
    value_norm: str | None


@dataclass(frozen=True, slots=True)
class Told:
    """What a memory said with a frame, and whom it is about now."""

    node: int
    subject: str | None
    text: str


WHAT = "SELECT v.node, v.head, coalesce(f.said_at, f.recorded_at), v.slot_subject, v.attribute, v.value_norm FROM "
IN_USE = """v.known_to IS NULL AND n.class = 'memory' AND v.retracted_at IS NULL AND v.corrected = 0
    AND v.merged_into IS NULL AND v.status IN ('draft', 'active', 'canonical')"""
# Backwards along the session's clock: sorting its frames would read all of it for the newest few.
IN_SESSION = f"""{WHAT} frame AS f CROSS JOIN node AS n ON n.id = f.node
  CROSS JOIN node_version AS v ON v.node = n.id AND v.head = f.id
  WHERE {IN_USE} AND f.session = ? ORDER BY f.t DESC LIMIT {LATELY}"""
IN_SLOT = f"""{WHAT} node_version AS v JOIN node AS n ON n.id = v.node JOIN frame AS f ON f.id = v.head
  WHERE {IN_USE} AND v.slot_subject = ? AND v.attribute = ? AND v.negated = 0
  ORDER BY v.valid_from DESC, v.node DESC"""

OF_SUBJECT = f"""SELECT v.node, v.attribute FROM node_version AS v JOIN node AS n ON n.id = v.node
  WHERE {IN_USE} AND v.slot_subject = ? AND v.attribute IS NOT NULL AND v.negated = 0 AND v.stated_to IS NULL
  LIMIT {MOST}"""
OF_VALUE = f"""SELECT v.node FROM node_version AS v JOIN node AS n ON n.id = v.node
  WHERE {IN_USE} AND v.attribute = ? AND v.value_norm = ? AND v.negated = 0 AND v.stated_to IS NULL LIMIT {MOST}"""
# In the order in which they are asked for; a patch alone is not what was said.
TOLD = """SELECT f.id, f.node, v.subject, f.text, f.type = 'P' FROM json_each(?) AS w
  CROSS JOIN frame AS f ON f.id = w.value CROSS JOIN node AS n ON n.id = f.node
  CROSS JOIN node_version AS v ON v.node = n.id AND v.known_to IS NULL WHERE n.class = 'memory'"""


def told_by(sql: Connection, frames: Iterable[int]) -> list[Told]:
    """What the memories among some units say, in the order of the units."""
    rows = sql.execute(TOLD, (json.dumps(list(frames)),)).fetchall()
    return [
        Told(node, subject, (fold(sql, frame) if patched else text) or "")
        for frame, node, subject, text, patched in rows
    ]


def said_lately(sql: Connection, session: int) -> list[Said]:
    """The newest memories of a session, newest first."""
    return _said(sql, IN_SESSION, (session,))


def in_slot(sql: Connection, slot: SlotKey) -> list[Said]:
    """The memories that fill a slot, the one that begins last first."""
    return _said(sql, IN_SLOT, (slot.subject, slot.attribute))


def of_subject(sql: Connection, subject: str) -> list[tuple[int, str]]:
    """The memories in use that fill a slot of a subject, and its attribute; of a much told one, the first MOST."""
    return sql.execute(OF_SUBJECT, (subject,)).fetchall()


def of_value(sql: Connection, attribute: str, value_norm: str) -> list[int]:
    """The memories in use that give a value of an attribute, whosever it is."""
    return [node for (node,) in sql.execute(OF_VALUE, (attribute, value_norm))]


def _said(sql: Connection, query: str, given: tuple[int | str, ...]) -> list[Said]:
    rows = sql.execute(query, given).fetchall()
    return [
        Said(node, fold(sql, head) or "", at, None if attribute is None else (subject, attribute), value)
        for node, head, at, subject, attribute, value in rows
    ]
