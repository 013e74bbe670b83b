"""The turns around a turn: the one before it and the one after it on the path, in the same session.

A turn that was forgotten, looks like an attack or holds a secret is context for none.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.store.connection import Connection


class Neighbour(NamedTuple):
    """A turn as context for another."""

    frame: int
    uid: bytes
    speaker: str
    speaker_role: str | None
    text: str


BEFORE = """SELECT f.id, p.id, p.uid, p.speaker, p.speaker_role, p.text
  FROM json_each(?) AS w CROSS JOIN frame AS f ON f.id = w.value JOIN frame AS p ON p.id = f.parent
  WHERE p.turn_key IS NOT NULL AND p.session = f.session AND p.text IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM frame_version AS v
      WHERE v.frame = p.id AND v.known_to IS NULL
        AND (v.retracted_at IS NOT NULL OR v.secret OR v.suspect IS NOT NULL))"""
AFTER = """SELECT f.id, n.id, n.uid, n.speaker, n.speaker_role, n.text
  FROM json_each(?) AS w CROSS JOIN frame AS f ON f.id = w.value JOIN frame AS n ON n.parent = f.id
  WHERE f.turn_key IS NOT NULL AND n.session = f.session AND n.text IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM off_path AS o WHERE o.frame = n.id)
    AND NOT EXISTS (SELECT 1 FROM frame_version AS v
      WHERE v.frame = n.id AND v.known_to IS NULL
        AND (v.retracted_at IS NOT NULL OR v.secret OR v.suspect IS NOT NULL))"""


def before(sql: Connection, frames: Iterable[int]) -> dict[int, Neighbour]:
    """For each turn that has one, the turn it follows."""
    return {row[0]: Neighbour._make(row[1:]) for row in sql.execute(BEFORE, (json.dumps(list(frames)),))}


def after(sql: Connection, frames: Iterable[int]) -> dict[int, Neighbour]:
    """For each turn that has one, the turn that follows it on the path."""
    return {row[0]: Neighbour._make(row[1:]) for row in sql.execute(AFTER, (json.dumps(list(frames)),))}
