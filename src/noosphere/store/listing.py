"""Memories and turns by what is said of them rather than by their words: the newest, the important, those of a time.

Every function gives frames of units as recall keys them; they are candidates, and the one predicate decides.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from noosphere.model.vocabulary import Importance
from noosphere.model.when import FOREVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.store.connection import Connection

_OPEN = "v.known_to IS NULL AND v.retracted_at IS NULL AND v.merged_into IS NULL AND v.head IS NOT NULL"
_IMPORTANT = f"""SELECT v.head FROM node_version AS v JOIN node AS n ON n.id = v.node AND n.class = 'memory'
  WHERE v.importance = ? AND v.known_to IS NULL AND v.importance IN ('critical', 'important') AND {_OPEN}
  ORDER BY v.valid_from DESC, v.head DESC LIMIT ?"""
_OF_ROLE = f"""SELECT v.head FROM node_version AS v JOIN node AS n ON n.id = v.node AND n.class = 'memory'
  WHERE v.role = ? AND v.known_to IS NULL AND v.role <> 'note' AND {_OPEN}
  ORDER BY v.valid_from DESC, v.head DESC LIMIT ?"""
_NEWEST = f"""SELECT f.id FROM frame AS f JOIN node AS n ON n.id = f.node
  WHERE n.class = 'memory'
    AND EXISTS (SELECT 1 FROM node_version AS v WHERE v.node = n.id AND v.head = f.id AND {_OPEN})
  ORDER BY f.id DESC LIMIT ?"""
_NEWEST_THEN = """SELECT f.id FROM frame AS f JOIN node AS n ON n.id = f.node
  WHERE n.class = 'memory' AND EXISTS (SELECT 1 FROM node_version AS v WHERE v.node = n.id AND v.head = f.id
    AND v.known_from <= :at AND (v.known_to IS NULL OR v.known_to > :at) AND v.retracted_at IS NULL
    AND v.merged_into IS NULL)
  ORDER BY f.id DESC LIMIT :limit"""
_NEWEST_TURNS = "SELECT id FROM frame WHERE turn_key IS NOT NULL AND text IS NOT NULL ORDER BY id DESC LIMIT ?"
_SAID = """SELECT id FROM frame WHERE said_at >= ? AND said_at < ? AND text IS NOT NULL
  ORDER BY said_at LIMIT ?"""
_HAPPENED = f"""SELECT v.head FROM node_version AS v
  WHERE v.occurred_from < ? AND v.occurred_to > ? AND v.occurred_from IS NOT NULL AND {_OPEN}
  ORDER BY v.occurred_from LIMIT ?"""


def important(sql: Connection, limit: int) -> list[int]:
    """What is critical, then what is important, the newest first."""
    found: list[int] = []
    for word in (Importance.CRITICAL, Importance.IMPORTANT):
        found += [frame for (frame,) in sql.execute(_IMPORTANT, (word.value, limit))]
    return found[:limit]


def of_role(sql: Connection, role: str, limit: int) -> list[int]:
    """Memories of a role (any but note), the newest first."""
    return [frame for (frame,) in sql.execute(_OF_ROLE, (role, limit))]


def newest(sql: Connection, limit: int, known_at: int | None = None) -> list[int]:
    """The memories last written, as they read now or read at `known_at`, the newest first."""
    if known_at is None:
        return [frame for (frame,) in sql.execute(_NEWEST, (limit,))]
    return [frame for (frame,) in sql.execute(_NEWEST_THEN, {"limit": limit, "at": known_at})]


def newest_turns(sql: Connection, limit: int) -> list[int]:
    """The turns last recorded, the newest first."""
    return [frame for (frame,) in sql.execute(_NEWEST_TURNS, (limit,))]


def within(sql: Connection, start: int, end: int, limit: int) -> list[int]:
    """What was said in a stretch of time [start, end) or happened in it, at most `limit` of each, the oldest first."""
    happened = [frame for (frame,) in sql.execute(_HAPPENED, (end, start, limit))]
    return happened + [frame for (frame,) in sql.execute(_SAID, (start, end, limit))]


def values_of(sql: Connection, subject: str, now: int) -> list[tuple[str, str]]:
    """What is known of a subject now: (attribute, value), by attribute, the oldest first."""
    rows = sql.execute(
        f"""SELECT v.attribute, v.value FROM node_version AS v LEFT JOIN spell AS s ON s.node = v.node
            WHERE v.slot_subject = :subject AND v.attribute IS NOT NULL AND v.value IS NOT NULL AND {_OPEN}
              AND v.status IN ('active', 'canonical') AND v.secret = 0 AND v.suspect IS NULL AND v.negated = 0
              AND v.corrected = 0 AND coalesce(v.stated_to, :end) > :now
              AND coalesce(s.holds_from, :now) <= :now AND coalesce(s.holds_to, :end) > :now
            ORDER BY v.attribute, v.valid_from, v.node""",
        {"subject": subject, "now": now, "end": FOREVER},
    )
    return list(dict.fromkeys(rows))


def has_edges(sql: Connection) -> bool:
    """Whether anything is connected with anything."""
    return sql.execute("SELECT 1 FROM edge WHERE known_to IS NULL LIMIT 1").get is not None


def entities(sql: Connection, names: Sequence[str]) -> list[int]:
    """The entities of these names (as entities are identified), of whatever type."""
    rows = sql.execute(
        """SELECT v.node FROM json_each(?) AS w CROSS JOIN node_version AS v
           ON v.norm_name = w.value AND v.known_to IS NULL AND v.entity_type IS NOT NULL
           AND v.retracted_at IS NULL AND v.merged_into IS NULL AND v.status IN ('draft', 'active', 'canonical')""",
        (json.dumps(list(dict.fromkeys(names))),),
    )
    return [node for (node,) in rows]


def heads(sql: Connection, nodes: Sequence[int]) -> dict[int, int]:
    """The unit that each of these memories reads as now."""
    rows = sql.execute(
        """SELECT v.node, v.head FROM json_each(?) AS w CROSS JOIN node_version AS v
           ON v.node = w.value AND v.known_to IS NULL AND v.head IS NOT NULL
           JOIN node AS n ON n.id = v.node AND n.class = 'memory'""",
        (json.dumps(list(nodes)),),
    )
    return dict(rows)
