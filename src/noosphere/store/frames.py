"""Frames: the immutable log. Nothing here updates or deletes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from noosphere.ids import uid_text
from noosphere.model.vocabulary import FrameType
from noosphere.store.failures import Spoiled, only
from noosphere.store.hashing import content_hash
from noosphere.store.transaction import Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.store.connection import Connection, Row
    from noosphere.store.transaction import Entry, Tx

LONG_AGO = -(2**63)  # before anything that can be said
_TYPES = frozenset(FrameType)


class NewFrame(NamedTuple):
    """A frame about to be written."""

    node: int
    type: FrameType
    session: int
    t: int
    text: str | None
    hash: bytes | None = None  # of the text, when it was worked out before
    base: int | None = None
    seq: int = 0
    said_at: int | None = None
    turn_key: str | None = None
    parent: int | None = None
    before: int | None = None
    speaker: str | None = None
    speaker_role: str | None = None
    participants: int | None = None
    uid: bytes | None = None  # of a frame of another mind, which keeps it


class FrameRow(NamedTuple):
    """A frame as it lies in the log."""

    id: int
    uid: bytes
    node: int
    type: FrameType
    base: int | None
    seq: int
    session: int
    t: int
    text: str | None
    hash: bytes | None
    said_at: int | None
    recorded_at: int
    turn_key: str | None
    parent: int | None
    before: int | None
    speaker: str | None
    speaker_role: str | None
    participants: int | None
    purged_at: int | None

    @property
    def is_turn(self) -> bool:
        """Whether this is a turn of a conversation."""
        return self.turn_key is not None

    @property
    def late(self) -> bool:
        """Whether this turn was put between two that were there."""
        return self.before is not None


COLUMNS = """id, uid, node, type, base, seq, session, t, text, hash, said_at, recorded_at, turn_key, parent, before,
  speaker, speaker_role, participants, purged_at FROM frame"""
INSERT = """INSERT INTO frame (id, uid, node, type, base, seq, session, t, text, hash, said_at, recorded_at, turn_key,
  parent, before, speaker, speaker_role, participants, journal)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
SAID_LAST = "SELECT said_at FROM frame WHERE said_at IS NOT NULL AND text IS NOT NULL ORDER BY said_at DESC LIMIT 1"


def insert(tx: Tx, entry: Entry, new: NewFrame) -> FrameRow:
    """Append a frame to the log."""
    number, uid = tx.take(Table.FRAME), new.uid or tx.ids.new()
    digest = new.hash or (None if new.text is None else content_hash(new.text))
    tx.put(
        Table.FRAME,
        INSERT,
        (
            number, uid, new.node, new.type, new.base, new.seq, new.session, new.t, new.text, digest, new.said_at,
            entry.at, new.turn_key, new.parent, new.before, new.speaker, new.speaker_role, new.participants,
            entry.waiting,
        ),
    )  # fmt: skip
    if new.said_at is not None and new.text is not None:
        tx.said_last = max(_said_last(tx), new.said_at)
    entry.touched.frames.append(uid_text(uid))
    return FrameRow(
        number, uid, new.node, new.type, new.base, new.seq, new.session, new.t, new.text, digest,
        new.said_at, entry.at, new.turn_key, new.parent, new.before, new.speaker, new.speaker_role,
        new.participants, None,
    )  # fmt: skip


def said_after(tx: Tx, at: int) -> bool:
    """Whether anything here was said after a time."""
    return _said_last(tx) > at


def _said_last(tx: Tx) -> int:
    """When the last thing here was said: looked up once, before the first that waits to be written."""
    last = tx.said_last
    if last is None:
        found: int | None = tx.settled.execute(SAID_LAST).get
        last = tx.said_last = LONG_AGO if found is None else found
    return last


def by_uid(sql: Connection, uid: bytes) -> FrameRow | None:
    """Find a frame by its uid."""
    rows = sql.execute(f"SELECT {COLUMNS} WHERE uid = ?", (uid,)).fetchall()
    return _row(rows[0]) if rows else None


def by_id(sql: Connection, frame: int) -> FrameRow:
    """Fetch a frame that is known to exist."""
    return _row(only(sql.execute(f"SELECT {COLUMNS} WHERE id = ?", (frame,)).fetchall(), "frame", frame))


def is_there(sql: Connection, frame: int) -> bool:
    """Whether the log has this frame."""
    return sql.execute("SELECT 1 FROM frame WHERE id = ?", (frame,)).get is not None


def of_node(sql: Connection, node: int) -> list[FrameRow]:
    """All frames of a node in the order they were written."""
    return [_row(r) for r in sql.execute(f"SELECT {COLUMNS} WHERE node = ? ORDER BY id", (node,))]


def turn(sql: Connection, node: int, key: str) -> list[FrameRow]:
    """The frames recorded under a turn's key: the first, then its other texts."""
    rows = sql.execute(f"SELECT {COLUMNS} WHERE node = ? AND turn_key = ?", (node, key)).fetchall()
    return [_row(r) for r in sorted(rows)]  # ORDER BY would have SQLite read the whole conversation in order


def children(sql: Connection, frame: int) -> list[FrameRow]:
    """The turns that follow a frame directly, oldest first."""
    return [_row(r) for r in sql.execute(f"SELECT {COLUMNS} WHERE parent = ? ORDER BY id", (frame,))]


def opening(sql: Connection, node: int) -> FrameRow:
    """The first frame of a node."""
    return _row(sql.execute(f"SELECT {COLUMNS} WHERE node = ? ORDER BY id LIMIT 1", (node,)).fetchall()[0])


def patches(sql: Connection, base: int) -> list[FrameRow]:
    """The P frames of an I frame, in order."""
    rows = sql.execute(f"SELECT {COLUMNS} WHERE node = (SELECT node FROM frame WHERE id = ?) ORDER BY seq, id", (base,))
    return [row for r in rows if (row := _row(r)).base == base and row.type is FrameType.P]


def participant_names(sql: Connection, frame: FrameRow) -> tuple[str, ...]:
    """Who took part in the conversation a frame belongs to, as it was recorded."""
    names = sql.execute("SELECT names FROM participants WHERE id = ?", (frame.participants,)).get
    return tuple(json.loads(names)) if names else ()


def turns_before(sql: Connection, turns: Iterable[int]) -> dict[int, int]:
    """For each turn that has one, the turn before it in the same session."""
    rows = sql.execute(
        """SELECT f.id, p.id FROM json_each(?) AS w CROSS JOIN frame AS f ON f.id = w.value
           JOIN frame AS p ON p.id = f.parent WHERE p.turn_key IS NOT NULL AND p.session = f.session""",
        (json.dumps(list(turns)),),
    )
    return dict(rows.fetchall())


def participants_id(tx: Tx, names: str) -> int:
    """The id of a set of participants, written once."""
    found = tx.sql.execute("SELECT id FROM participants WHERE names = ?", (names,)).get
    if found is None:
        tx.sql.execute("INSERT INTO participants (names) VALUES (?)", (names,))
        found = tx.sql.last_insert_rowid()
    return found


def refer(tx: Tx, frame: int, refs: Iterable[int], description: str | None) -> None:
    """Note what a branch refers to."""
    tx.sql.executemany(
        "INSERT INTO frame_ref (frame, ref, description) VALUES (?, ?, ?)", [(frame, r, description) for r in refs]
    )


def _row(row: Row) -> FrameRow:
    values: list[Any] = list(row)
    text = values[8]
    if (text is not None and type(text) is not str) or values[3] not in _TYPES:
        raise Spoiled(f"a value that is none, in frame {uid_text(values[1])}")
    values[3] = FrameType(values[3])
    return FrameRow(*values)
