"""What a correction may refer to: the memories of a session said lately, and those that fill a slot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.records import dataclass
from noosphere.store.fold import fold

if TYPE_CHECKING:
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
