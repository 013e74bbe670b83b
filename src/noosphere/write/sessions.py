"""The verbs of sessions: ensure, ensure_active, close, archive, list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.errors import InvalidInput, NotFound
from noosphere.ids import looks_like_uid, parse_uid, uid_text
from noosphere.model.argument import read_count, read_key, read_line
from noosphere.model.outcome import Reason, Refused, SessionChanged
from noosphere.model.record import Session
from noosphere.model.vocabulary import SessionStatus
from noosphere.store import sessions

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.store.sessions import SessionRow

MAX_LISTED = 10_000


class Sessions:
    """The sessions of one mind."""

    def __init__(self, mind: MindFile) -> None:
        self._mind = mind

    def ensure(self, key: str, *, project: str | None = None, title: str | None = None) -> Session:
        """The session of this key, started when there is none; calling it again changes nothing.

        Raises:
            InvalidInput: the key is empty.
        """
        named = read_key(key, "session")
        if named is None:
            raise InvalidInput("session", "has no key", "Give the session's own stable name")
        project, title = read_line(project, "project"), read_line(title, "title")
        with self._mind.write() as tx:
            row = sessions.by_key(tx.sql, named)
            if row is None:
                entry = tx.open("session.start")
                row = sessions.start(tx, entry, key=named, project=project, title=title)
                tx.close(entry, row.uid)
            return _shown(tx.sql, row)

    def ensure_active(self) -> Session:
        """This author's ongoing session, or a new one when its last frame is older than six hours."""
        with self._mind.write() as tx:
            row = sessions.ongoing(tx)
            if row is None:
                entry = tx.open("session.start")
                row = sessions.start(tx, entry)
                tx.close(entry, row.uid)
            return _shown(tx.sql, row)

    def close(self, session: str) -> SessionChanged | Refused:
        """Close a session by key or id; it takes no more frames.

        Raises:
            NotFound: there is no such session.
        """
        return self._end(session, SessionStatus.CLOSED)

    def archive(self, session: str) -> SessionChanged | Refused:
        """Archive a session by key or id; it takes no more frames.

        Raises:
            NotFound: there is no such session.
        """
        return self._end(session, SessionStatus.ARCHIVED)

    def list(self, limit: int = 100) -> list[Session]:
        """The newest sessions first.

        Raises:
            InvalidInput: the limit is out of range.
        """
        asked = read_count(limit, "limit", 1, MAX_LISTED)
        with self._mind.read() as sql:
            return [_session(row, frames, last) for row, frames, last in sessions.listed(sql, asked)]

    def _end(self, session: str, status: SessionStatus) -> SessionChanged | Refused:
        with self._mind.write() as tx:
            row = named(tx.sql, session)
            if row.status is status:
                return Refused(reason=Reason.UNCHANGED, message=f"the session is {status} already")
            entry = tx.open(f"session.{status}")
            sessions.change(tx, entry, row, status=status)
            journal = tx.close(entry, row.uid)
        return SessionChanged(session=uid_text(row.uid), status=status, journal=journal)


def _shown(sql: Connection, row: SessionRow) -> Session:
    return _session(row, *sessions.size(sql, row.id))


def _session(row: SessionRow, frames: int, last: int | None) -> Session:
    return Session(
        id=uid_text(row.uid),
        key=row.key,
        project=row.project,
        title=row.title,
        status=row.status,
        started_at=moment(row.started_at),
        last_at=None if last is None else moment(last),
        frames=frames,
        actor=row.actor,
        channel=row.channel,
    )


def named(sql: Connection, session: str) -> SessionRow:
    """Find a session by key or id.

    Raises:
        NotFound: there is none.
    """
    session = read_key(session, "session") or ""
    found = sessions.by_key(sql, session)
    if found is None and looks_like_uid(session):
        found = sessions.by_uid(sql, parse_uid(session))
    if found is None:
        raise NotFound("session", session, "List them with sessions.list()")
    return found
