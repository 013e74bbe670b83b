"""Narrowing: the frames that selective filters leave, so that a lane need not wade through the rest."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from noosphere.ids import looks_like_uid, parse_uid

if TYPE_CHECKING:
    from noosphere.model.query import Filters
    from noosphere.store.connection import Connection

MOST = 50_000  # beyond this the filter is not selective, and the predicate alone decides


def frames(sql: Connection, filters: Filters, *, tags_as_now: bool) -> list[int] | None:
    """The frames these filters can leave, or None when they do not narrow; candidates, never truth.

    `tags_as_now` says that the question is about the tags of the present, not of a past belief.
    """
    found: set[int] | None = None
    for query, values in _queries(filters, tags_as_now=tags_as_now):
        rows = sql.execute(f"{query} LIMIT {MOST + 1}", values).fetchall()
        if len(rows) <= MOST:
            these = {frame for (frame,) in rows}
            found = these if found is None else found & these
    return None if found is None else sorted(found)


_OF_NODES = """SELECT f.id FROM frame AS f
  WHERE f.node IN (SELECT id FROM node WHERE key = ? UNION SELECT id FROM node WHERE uid = ?)"""
_OF_SESSIONS = """SELECT f.id FROM frame AS f
  WHERE f.session IN (SELECT id FROM session WHERE key = ? UNION SELECT id FROM session WHERE uid = ?)"""
_OF_TAGS = "SELECT f.id FROM tag AS t JOIN frame AS f ON f.node = t.node WHERE t.tag = ? AND t.known_to IS NULL"


def _queries(filters: Filters, *, tags_as_now: bool) -> list[tuple[str, tuple[object, ...]]]:
    asked: list[tuple[str, tuple[object, ...]]] = []
    for query, name in ((_OF_NODES, filters.conversation), (_OF_SESSIONS, filters.session)):
        if name is not None:
            asked.append((query, (name, parse_uid(name) if looks_like_uid(name) else None)))
    asked += [(_OF_TAGS, (tag,)) for tag in filters.tags if tags_as_now]
    return asked


def only_participants(sql: Connection) -> tuple[str, ...]:
    """The participants, when the whole mind knows one set of them: then a filter on them is on."""
    rows = sql.execute("SELECT names FROM participants LIMIT 2").fetchall()
    return tuple(json.loads(rows[0][0])) if len(rows) == 1 else ()
