"""What imports held back: texts that look like an attack, kept apart until somebody decides."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from noosphere.store.connection import Connection, Row
    from noosphere.store.transaction import Tx

WHOLE = ""  # the part that is a whole item


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """A text about to be held back.

    Attributes:
        item: the key of the item it belongs to.
        part: the key of a turn, or WHOLE.
        hash: of the text.
        payload: what is needed to let it in later, as JSON.
    """

    item: str
    part: str
    hash: bytes
    score: float
    hits: tuple[str, ...]
    rules: str
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A text that waits; it is gone from here once somebody decided."""

    uid: bytes
    item: str
    part: str
    held_at: int
    score: float
    hits: tuple[str, ...]
    rules: str
    payload: dict[str, Any]


COLUMNS = "uid, item, part, held_at, score, hits, rules, payload FROM quarantine"


def hold(tx: Tx, run: int, new: Holding) -> bool:
    """Keep a text back; false when it waits already or was decided on."""
    tx.sql.execute(
        """INSERT INTO quarantine (uid, item, part, hash, run, held_at, score, hits, rules, payload)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (item, part, hash) DO NOTHING""",
        (
            tx.ids.new(), new.item, new.part, new.hash, run, tx.now, new.score, json.dumps(new.hits), new.rules,
            json.dumps(new.payload),
        ),
    )  # fmt: skip
    return tx.sql.changes() > 0


def decided(sql: Connection, item: str) -> dict[tuple[str, bytes], str]:
    """What was decided of an item's texts, by part and hash: released or dismissed."""
    rows = sql.execute("SELECT part, hash, decision FROM quarantine WHERE item = ? AND decision IS NOT NULL", (item,))
    return {(part, digest): decision for part, digest, decision in rows}


def waiting(sql: Connection, item: str | None = None) -> list[HeldRow]:
    """What waits, of one item or of all, the oldest first."""
    query = f"SELECT {COLUMNS} WHERE decision IS NULL AND (?1 IS NULL OR item = ?1) ORDER BY id"
    return [_row(row) for row in sql.execute(query, (item,))]


def by_uid(sql: Connection, uid: bytes) -> HeldRow | None:
    """One that waits."""
    rows = sql.execute(f"SELECT {COLUMNS} WHERE uid = ? AND decision IS NULL", (uid,)).fetchall()
    return _row(rows[0]) if rows else None


def decide(tx: Tx, uid: bytes, decision: str) -> None:
    """Note a decision; the text goes from here."""
    tx.sql.execute(
        "UPDATE quarantine SET decision = ?, decided_at = ?, decided_by = ?, payload = NULL WHERE uid = ?",
        (decision, tx.now, tx.author.actor, uid),
    )


def _row(row: Row) -> HeldRow:
    uid, item, part, held_at, score, hits, rules, payload = row
    return HeldRow(uid, item, part, held_at, score, tuple(json.loads(hits)), rules, json.loads(payload))
