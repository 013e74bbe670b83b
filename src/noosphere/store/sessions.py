"""Sessions: finding, opening and closing the containers of what was said in one sitting."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from noosphere.clock import HOUR
from noosphere.ids import uid_text
from noosphere.model.vocabulary import SessionStatus
from noosphere.records import dataclass
from noosphere.store.failures import only

if TYPE_CHECKING:
    from noosphere.store.connection import Connection, Row
    from noosphere.store.transaction import Entry, Tx

STEP = 1024  # the logical clock leaves room between two frames for late or repaired ones
SITTING = 6 * HOUR  # a longer silence ends a sitting


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session and its present state."""

    id: int
    uid: bytes
    key: str | None
    started_at: int
    actor: str
    channel: str
    n: int
    status: SessionStatus
    project: str | None
    title: str | None


@dataclass(frozen=True, slots=True)
class Sitting:
    """An author's newest active session, and when it last got a frame."""

    session: SessionRow
    last_at: int


COLUMNS = """s.id, s.uid, s.key, s.started_at, s.actor, s.channel, v.n, v.status, v.project, v.title
  FROM session AS s JOIN session_version AS v ON v.session = s.id AND v.known_to IS NULL"""


NEWEST = """SELECT id, (SELECT recorded_at FROM frame WHERE session = s.id ORDER BY t DESC LIMIT 1)
  FROM (SELECT id FROM session ORDER BY started_at DESC, id DESC LIMIT 1) AS s"""


def by_key(sql: Connection, key: str) -> SessionRow | None:
    """Find a session by the key its caller gave it."""
    return _one(sql.execute(f"SELECT {COLUMNS} WHERE s.key = ?", (key,)).fetchall())


def by_uid(sql: Connection, uid: bytes) -> SessionRow | None:
    """Find a session by its uid."""
    return _one(sql.execute(f"SELECT {COLUMNS} WHERE s.uid = ?", (uid,)).fetchall())


def by_id(sql: Connection, session: int) -> SessionRow:
    """Fetch a session that is known to exist."""
    return _row(only(sql.execute(f"SELECT {COLUMNS} WHERE s.id = ?", (session,)).fetchall(), "session", session))


def ongoing(tx: Tx) -> SessionRow | None:
    """The newest active session of this author with a frame younger than a sitting."""
    if tx.sitting is None or tx.sitting.last_at <= tx.clock_now - SITTING:
        tx.sitting = _newest(tx)
    return None if tx.sitting is None else tx.sitting.session


def newest(sql: Connection) -> tuple[int, int | None] | None:
    """The session that was started last, and when it last got a frame."""
    rows = sql.execute(NEWEST).fetchall()
    return (rows[0][0], rows[0][1]) if rows else None


def _newest(tx: Tx) -> Sitting | None:
    rows = tx.sql.execute(
        """SELECT s.id, coalesce((SELECT recorded_at FROM frame WHERE session = s.id ORDER BY t DESC LIMIT 1),
             s.started_at) AS last FROM session AS s
           WHERE actor = ? AND channel = ? AND last > ? AND EXISTS (
             SELECT 1 FROM session_version WHERE session = s.id AND known_to IS NULL AND status = 'active')
           ORDER BY id DESC LIMIT 1""",
        (tx.author.actor, tx.author.channel, tx.clock_now - SITTING),
    ).fetchall()
    return Sitting(by_id(tx.sql, rows[0][0]), rows[0][1]) if rows else None


def start(
    tx: Tx,
    entry: Entry,
    *,
    key: str | None = None,
    project: str | None = None,
    title: str | None = None,
    at: int | None = None,
) -> SessionRow:
    """Open a session. It stays when the entry is undone: frames never leave the log, nor do their containers."""
    uid = tx.ids.new()
    started = entry.at if at is None else at
    tx.sql.execute(
        "INSERT INTO session (uid, key, started_at, actor, channel, journal) VALUES (?, ?, ?, ?, ?, ?)",
        (uid, key, started, tx.author.actor, tx.author.channel, entry.id),
    )
    row = SessionRow(
        tx.sql.last_insert_rowid(), uid, key, started, tx.author.actor, tx.author.channel, 1,
        SessionStatus.ACTIVE, project, title,
    )  # fmt: skip
    _open_version(tx, entry, row)
    tx.sitting = Sitting(row, entry.at)
    return row


def change(tx: Tx, entry: Entry, row: SessionRow, *, status: SessionStatus) -> SessionRow:
    """Move a session to another status."""
    tx.sql.execute(
        "UPDATE session_version SET known_to = ?, closed_by = ? WHERE session = ? AND known_to IS NULL",
        (entry.at, entry.id, row.id),
    )
    following = replace(row, n=row.n + 1, status=status)
    tx.sitting = None
    _open_version(tx, entry, following)
    return following


def status_in(sql: Connection, session: int, n: int) -> SessionStatus:
    """The status of a session in one of its versions."""
    return SessionStatus(
        sql.execute("SELECT status FROM session_version WHERE session = ? AND n = ?", (session, n)).get
    )


def next_t(tx: Tx, session: int) -> int:
    """Take the next tick of a session's logical clock."""
    last = tx.clocks.get(session)
    if last is None:
        last = tx.sql.execute("SELECT t FROM frame WHERE session = ? ORDER BY t DESC LIMIT 1", (session,)).get or 0
    tx.clocks[session] = last // STEP * STEP + STEP
    return tx.clocks[session]


def size(sql: Connection, session: int) -> tuple[int, int | None]:
    """How many frames a session holds, and when the last was recorded."""
    rows = sql.execute("SELECT count(*), max(recorded_at) FROM frame WHERE session = ?", (session,)).fetchall()
    return rows[0][0], rows[0][1]


def listed(sql: Connection, limit: int) -> list[tuple[SessionRow, int, int | None]]:
    """The newest sessions, each with its number of frames and the time of the last one."""
    rows = sql.execute(
        f"""SELECT {
            COLUMNS.replace(
                " FROM ",
                ", (SELECT count(*) FROM frame WHERE session = s.id),"
                " (SELECT max(recorded_at) FROM frame WHERE session = s.id) FROM ",
                1,
            )
        }
            ORDER BY s.started_at DESC, s.id DESC LIMIT ?""",
        (limit,),
    ).fetchall()
    return [(_row(r[:-2]), r[-2], r[-1]) for r in rows]


def _open_version(tx: Tx, entry: Entry, row: SessionRow) -> None:
    tx.sql.execute(
        """INSERT INTO session_version (session, n, known_from, opened_by, status, project, title)
           VALUES (?, ?, ?, ?, ?, ?, ?)""",
        (row.id, row.n, entry.at, entry.id, row.status, row.project, row.title),
    )
    entry.touched.sessions.append([uid_text(row.uid), row.n])


def _one(rows: list[Row]) -> SessionRow | None:
    return _row(rows[0]) if rows else None


def _row(row: Row) -> SessionRow:
    values: list[Any] = list(row)
    values[7] = SessionStatus(values[7])
    return SessionRow(*values)
