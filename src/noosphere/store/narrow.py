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
    for query, value in _queries(filters, tags_as_now=tags_as_now):
        rows = sql.execute(f"{query} LIMIT {MOST + 1}", (value,)).fetchall()
        if len(rows) <= MOST:
            these = {frame for (frame,) in rows}
            found = these if found is None else found & these
    return None if found is None else sorted(found)


_OF_NODES = "SELECT f.id FROM node AS n JOIN frame AS f ON f.node = n.id"
_OF_SESSIONS = "SELECT f.id FROM session AS s JOIN frame AS f ON f.session = s.id"


def _queries(filters: Filters, *, tags_as_now: bool) -> list[tuple[str, object]]:
    asked: list[tuple[str, object]] = []
    if filters.conversation is not None and looks_like_uid(filters.conversation):
        asked.append((f"{_OF_NODES} WHERE n.uid = ?", parse_uid(filters.conversation)))
    elif filters.conversation is not None:
        asked.append((f"{_OF_NODES} WHERE n.key = ?", filters.conversation))
    if filters.session is not None and looks_like_uid(filters.session):
        asked.append((f"{_OF_SESSIONS} WHERE s.uid = ?", parse_uid(filters.session)))
    elif filters.session is not None:
        asked.append((f"{_OF_SESSIONS} WHERE s.key = ?", filters.session))
    asked += [
        ("SELECT f.id FROM tag AS t JOIN frame AS f ON f.node = t.node WHERE t.tag = ? AND t.known_to IS NULL", tag)
        for tag in filters.tags
        if tags_as_now
    ]
    return asked


def only_participants(sql: Connection) -> tuple[str, ...]:
    """The participants, when the whole mind knows one set of them: then a filter on them is on."""
    rows = sql.execute("SELECT names FROM participants LIMIT 2").fetchall()
    return tuple(json.loads(rows[0][0])) if len(rows) == 1 else ()
