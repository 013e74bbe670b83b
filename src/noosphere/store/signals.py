"""Improvement signals, and the turns in which they were heard."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from noosphere.store.connection import Connection
    from noosphere.store.transaction import Entry, Tx


@dataclass(frozen=True, slots=True)
class SignalRow:
    """A signal as it is stored."""

    uid: bytes
    kind: str
    text: str
    count: int
    first_at: int
    last_at: int
    surfaced_at: int | None


HEARD = "('capability_gap', 'correction')"  # these rest on turns, the others on traces
# Shown while a turn that it was heard in is: none that was forgotten, looks like an attack or holds a secret.
STANDS = f"""(s.kind NOT IN {HEARD} OR EXISTS (
  SELECT 1 FROM signal_turn AS t JOIN frame AS f ON f.id = t.frame
    JOIN node_version AS n ON n.node = f.node AND n.known_to IS NULL AND n.retracted_at IS NULL
    LEFT JOIN frame_version AS v ON v.frame = f.id AND v.known_to IS NULL
  WHERE t.signal = s.id AND v.retracted_at IS NULL AND v.suspect IS NULL AND coalesce(v.secret, 0) = 0))"""
# Often enough to be shown; a habit that works only as that, and none that has a name by now.
DUE = f"""s.surfaced_at IS NULL AND s.count >= (SELECT value FROM json_each(:least) WHERE key = s.kind)
  AND (s.kind IN {HEARD} OR NOT EXISTS (SELECT 1 FROM procedures AS p WHERE p.pattern = s.key))
  AND (s.kind <> 'workflow_pattern' OR NOT EXISTS (
    SELECT 1 FROM improvement_signals AS o WHERE o.kind = 'skill_promotion' AND o.key = s.key)) AND {STANDS}"""
COLUMNS = "s.uid, s.kind, s.text, s.count, s.first_at, s.last_at, s.surfaced_at FROM improvement_signals AS s"
ORDER = "s.count DESC, s.last_at DESC, s.id DESC LIMIT :limit"


def listed(sql: Connection, kind: str | None, limit: int) -> list[SignalRow]:
    """Signals of a kind or of all, also those that were surfaced, the most counted first."""
    rows = sql.execute(
        f"SELECT {COLUMNS} WHERE (:kind IS NULL OR s.kind = :kind) AND {STANDS} ORDER BY {ORDER}",
        {"kind": kind, "limit": limit},
    )
    return [SignalRow(*row) for row in rows]


def due(sql: Connection, least: Mapping[str, int], kind: str | None, limit: int) -> list[SignalRow]:
    """Signals that wait to be surfaced, the most counted first; `least` is how often each kind must have come."""
    rows = sql.execute(
        f"SELECT {COLUMNS} WHERE (:kind IS NULL OR s.kind = :kind) AND {DUE} ORDER BY {ORDER}",
        {"kind": kind, "limit": limit, "least": json.dumps(dict(least))},
    )
    return [SignalRow(*row) for row in rows]


def was_heard(sql: Connection, kind: str, key: str, frame: int) -> bool:
    """Whether a signal was counted for this turn already."""
    query = """SELECT 1 FROM improvement_signals AS s JOIN signal_turn AS t ON t.signal = s.id
      WHERE s.kind = ? AND s.key = ? AND t.frame = ?"""
    return sql.execute(query, (kind, key, frame)).get is not None


def hear(tx: Tx, entry: Entry, kind: str, key: str, text: str, frame: int) -> None:
    """Count a signal for a turn."""
    _put(tx, entry, kind, key, text, "count + 1", 1)
    tx.sql.execute(
        "INSERT INTO signal_turn (signal, frame) SELECT id, ? FROM improvement_signals WHERE kind = ? AND key = ?",
        (frame, kind, key),
    )


def count(tx: Tx, entry: Entry, kind: str, key: str, text: str, times: int) -> None:
    """Say how often a pattern came."""
    _put(tx, entry, kind, key, text, "excluded.count", times)


def _put(tx: Tx, entry: Entry, kind: str, key: str, text: str, counted: str, times: int) -> None:
    tx.sql.execute(
        f"""INSERT INTO improvement_signals (uid, kind, key, text, count, first_at, last_at, journal)
           VALUES (:uid, :kind, :key, :text, :times, :at, :at, :journal)
           ON CONFLICT (kind, key) DO UPDATE SET text = excluded.text, count = {counted},
             last_at = excluded.last_at, journal = excluded.journal""",
        {
            "uid": tx.ids.new(),
            "kind": kind,
            "key": key,
            "text": text,
            "times": times,
            "at": entry.at,
            "journal": entry.id,
        },
    )


def state(sql: Connection, uid: bytes) -> tuple[bool, bool]:
    """Whether there is a signal of this id, and whether it was surfaced."""
    rows = sql.execute("SELECT surfaced_at FROM improvement_signals WHERE uid = ?", (uid,)).fetchall()
    return bool(rows), bool(rows) and rows[0][0] is not None


def surface(tx: Tx, entry: Entry, uids: Iterable[bytes]) -> None:
    """Note that signals were shown."""
    tx.sql.executemany(
        "UPDATE improvement_signals SET surfaced_at = ?, journal = ? WHERE uid = ? AND surfaced_at IS NULL",
        [(entry.at, entry.id, uid) for uid in uids],
    )


def unhear(tx: Tx, frame: int) -> None:
    """Take a turn away that is erased: what was heard in it alone goes, of the rest only the key's words stay."""
    touched = [signal for (signal,) in tx.sql.execute("SELECT signal FROM signal_turn WHERE frame = ?", (frame,))]
    tx.sql.execute("DELETE FROM signal_turn WHERE frame = ?", (frame,))
    for signal in touched:
        left: int = tx.sql.execute("SELECT count(*) FROM signal_turn WHERE signal = ?", (signal,)).get
        if left:
            query = "UPDATE improvement_signals SET text = key, count = ? WHERE id = ?"
            tx.sql.execute(query, (left, signal))
        else:
            tx.sql.execute("DELETE FROM improvement_signals WHERE id = ?", (signal,))
