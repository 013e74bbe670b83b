"""Reading the journal: what was changed, by whom, and what an entry touched."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from noosphere.records import dataclass

if TYPE_CHECKING:
    from noosphere.store.connection import Connection, Row
    from noosphere.store.frames import FrameRow
    from noosphere.store.nodes import NodeRow


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One journal entry; `undone_by` is the uid of the entry that took it back, if that one stands."""

    id: int
    uid: bytes
    at: int
    verb: str
    actor: str
    channel: str
    target: bytes | None
    undoes: int | None
    undoes_uid: bytes | None
    undone_by: bytes | None
    detail: dict[str, Any]


COLUMNS = """j.id, j.uid, j.at, j.verb, j.actor, j.channel, j.target, j.undoes,
    (SELECT u.uid FROM journal AS u WHERE u.id = j.undoes), j.detail
  FROM journal AS j"""
UNDOS_ON = "SELECT id FROM journal WHERE undoes > 0 AND target = ? AND id > ?"  # "> 0" lets the partial index serve
FRAMES_HIDDEN = """SELECT v.opened_by FROM frame_version AS v JOIN frame AS f ON f.id = v.frame
  WHERE f.node = ? AND v.opened_by > ?"""
UNDOS = """WITH RECURSIVE undo (id, uid, undoes) AS (
    SELECT id, uid, undoes FROM journal WHERE undoes = ?
    UNION ALL SELECT j.id, j.uid, j.undoes FROM undo AS u JOIN journal AS j ON j.undoes = u.id)
  SELECT id, uid, undoes FROM undo ORDER BY id DESC"""


def by_uid(sql: Connection, uid: bytes) -> EntryRow | None:
    """Find an entry by its uid."""
    rows = sql.execute(f"SELECT {COLUMNS} WHERE j.uid = ?", (uid,)).fetchall()
    return _row(sql, rows[0]) if rows else None


def newest_at(sql: Connection) -> int:
    """When the newest entry was made; 0 in an empty mind."""
    return sql.execute("SELECT at FROM journal ORDER BY id DESC LIMIT 1").get or 0


def newest(sql: Connection, limit: int, target: bytes | None = None) -> list[EntryRow]:
    """The newest entries first, of one target or of the whole mind."""
    if target is None:
        rows = sql.execute(f"SELECT {COLUMNS} ORDER BY j.id DESC LIMIT ?", (limit,)).fetchall()
    else:
        rows = sql.execute(
            f"SELECT {COLUMNS} WHERE j.target = ? ORDER BY j.id DESC LIMIT ?", (target, limit)
        ).fetchall()
    return [_row(sql, r) for r in rows]


def after(sql: Connection, entry: int) -> list[EntryRow]:
    """The entries later than one, oldest first."""
    return [_row(sql, r) for r in sql.execute(f"SELECT {COLUMNS} WHERE j.id > ? ORDER BY j.id", (entry,)).fetchall()]


def by_id(sql: Connection, entry: int) -> EntryRow:
    """Fetch an entry that is known to exist."""
    return _row(sql, sql.execute(f"SELECT {COLUMNS} WHERE j.id = ?", (entry,)).fetchall()[0])


def on_node(sql: Connection, node: NodeRow, after: int, *, created: bool) -> set[int]:
    """Entries later than `after` that changed a node, or used it when `after` made it or brought it back."""
    found = _numbers(sql, "SELECT opened_by FROM node_version WHERE node = ? AND opened_by > ?", (node.id, after))
    if created:
        found |= _numbers(sql, "SELECT journal FROM frame WHERE node = ? AND journal > ?", (node.id, after))
        found |= _numbers(sql, "SELECT opened_by FROM tag WHERE node = ? AND opened_by > ?", (node.id, after))
        found |= _numbers(sql, "SELECT journal FROM evidence WHERE target = ? AND journal > ?", (node.uid, after))
        found |= _numbers(sql, FRAMES_HIDDEN, (node.id, after))
        found |= _numbers(sql, UNDOS_ON, (node.uid, after))
        for end in ("src", "dst"):
            found |= _numbers(
                sql,
                f"""SELECT e.opened_by FROM edge AS e JOIN journal AS j ON j.id = e.opened_by
                    WHERE e.{end} = ? AND e.opened_by > ? AND e.known_to IS NULL AND j.verb <> 'autolink'
                      AND NOT (e.type = 'supersedes' AND e.provenance = 'system')""",
                (node.id, after),
            )
    return found


def on_frame(sql: Connection, frame: FrameRow, after: int) -> set[int]:
    """Entries later than `after` that followed, hid, anchored in or cited a frame."""
    found = _numbers(sql, "SELECT journal FROM frame WHERE parent = ? AND journal > ?", (frame.id, after))
    found |= _numbers(
        sql, "SELECT journal FROM frame WHERE node = ? AND before = ? AND journal > ?", (frame.node, frame.id, after)
    )
    found |= _numbers(sql, "SELECT opened_by FROM frame_version WHERE frame = ? AND opened_by > ?", (frame.id, after))
    found |= _numbers(
        sql,
        """SELECT e.journal FROM evidence AS e JOIN journal AS j ON j.id = e.journal
           WHERE e.frame = ? AND e.journal > ? AND j.verb <> 'autolink'""",
        (frame.uid, after),
    )
    for end in ("src", "dst"):
        found |= _numbers(
            sql,
            f"SELECT opened_by FROM edge WHERE {end} = ? AND {end}_frame = ? AND opened_by > ? AND known_to IS NULL",
            (frame.node, frame.id, after),
        )
    return found


def on_edge(sql: Connection, edge: bytes, after: int) -> set[int]:
    """Entries later than `after` that opened, closed or gave evidence for an edge; a derived one follows by itself."""
    found = _numbers(sql, "SELECT journal FROM evidence WHERE target = ? AND journal > ?", (edge, after))
    for column in ("opened_by", "closed_by"):
        found |= _numbers(
            sql,
            f"""SELECT {column} FROM edge WHERE uid = ? AND {column} > ?
                AND NOT (type = 'supersedes' AND provenance = 'system')""",
            (edge, after),
        )
    return found


def on_tags(sql: Connection, node: int, at: int, after: int) -> set[int]:
    """Entries later than `after` that changed again the tags which a node got or lost at a moment."""
    names = "SELECT tag FROM tag WHERE node = :node AND (known_from = :at OR known_to = :at)"
    values = {"node": node, "at": at, "after": after}
    return {
        number
        for column in ("opened_by", "closed_by")
        for (number,) in sql.execute(
            f"SELECT {column} FROM tag WHERE node = :node AND tag IN ({names}) AND {column} > :after", values
        )
    }


def on_session(sql: Connection, session: bytes, n: int) -> set[int]:
    """Entries that changed a session after its version n."""
    return _numbers(
        sql,
        """SELECT v.opened_by FROM session_version AS v JOIN session AS s ON s.id = v.session
           WHERE s.uid = ? AND v.n > ?""",
        (session, n),
    )


def on_spaces(sql: Connection, after: int) -> set[int]:
    """Entries later than `after` that chose a model."""
    return _numbers(sql, "SELECT id FROM journal WHERE id > ? AND json_type(detail, '$.spaces') IS NOT NULL", (after,))


def _numbers(sql: Connection, query: str, values: tuple[Any, ...]) -> set[int]:
    return {number for (number,) in sql.execute(query, values)}


def _row(sql: Connection, row: Row) -> EntryRow:
    *head, detail = row
    return EntryRow(*head, undone_by=_undone_by(sql, row[0]), detail=json.loads(detail))


def _undone_by(sql: Connection, entry: int) -> bytes | None:
    """The undo of an entry that stands; an undo stands unless a standing undo took it back in turn."""
    taken_back: set[int] = set()
    for undo, uid, undoes in sql.execute(UNDOS, (entry,)):  # the newest first: nothing later can undo it
        if undo not in taken_back:
            if undoes == entry:
                return uid
            taken_back.add(undoes)
    return None
