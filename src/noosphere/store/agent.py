"""The out-of-band rows of an agent: who it is, what it is at, and what it has learnt. Never frames."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from noosphere.model.identity import FIELDS
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from noosphere.store.connection import Connection, Row
    from noosphere.store.transaction import Entry, Tx


def identity(sql: Connection) -> tuple[dict[str, str | None], int] | None:
    """The fields of the identity and when they were last changed."""
    rows = sql.execute(f"SELECT {', '.join(FIELDS)}, updated_at FROM identity WHERE id = 1").fetchall()
    return (dict(zip(FIELDS, rows[0], strict=False)), rows[0][-1]) if rows else None


def put_identity(tx: Tx, entry: Entry, fields: Mapping[str, str | None]) -> None:
    """Write the whole identity."""
    tx.sql.execute(
        f"""INSERT OR REPLACE INTO identity (id, {", ".join(FIELDS)}, updated_at, journal)
            VALUES (1, {", ".join(f":{name}" for name in FIELDS)}, :at, :journal)""",
        {**fields, "at": entry.at, "journal": entry.id},
    )


@dataclass(frozen=True, slots=True)
class AwarenessRow:
    """An item of awareness as it is stored."""

    uid: bytes
    category: str
    text: str
    priority: int
    metadata: dict[str, Any]
    created_at: int
    updated_at: int
    expires_at: int | None


_ITEM = "uid, category, text, priority, metadata, created_at, updated_at, expires_at FROM awareness"
_LIVE = "ended_at IS NULL AND (expires_at IS NULL OR expires_at > :now)"


def live(sql: Connection, now: int) -> list[AwarenessRow]:
    """What is neither ended nor expired: the most important first, then the most recent."""
    rows = sql.execute(
        f"SELECT {_ITEM} WHERE {_LIVE} ORDER BY priority DESC, updated_at DESC, id DESC", {"now": now}
    ).fetchall()
    return [_item(row) for row in rows]


def item(sql: Connection, uid: bytes, now: int) -> AwarenessRow | None:
    """A live item by its id."""
    rows = sql.execute(f"SELECT {_ITEM} WHERE uid = :uid AND {_LIVE}", {"uid": uid, "now": now}).fetchall()
    return _item(rows[0]) if rows else None


def put_item(tx: Tx, entry: Entry, row: AwarenessRow) -> None:
    """Add an item, or change the one of its id."""
    tx.sql.execute(
        """INSERT INTO awareness
             (uid, category, text, priority, metadata, created_at, updated_at, expires_at, journal)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (uid) DO UPDATE SET category = excluded.category, text = excluded.text,
             priority = excluded.priority, metadata = excluded.metadata, updated_at = excluded.updated_at,
             expires_at = excluded.expires_at, journal = excluded.journal""",
        (
            row.uid, row.category, row.text, row.priority, json.dumps(row.metadata, ensure_ascii=False),
            row.created_at, row.updated_at, row.expires_at, entry.id,
        ),
    )  # fmt: skip


def end_item(tx: Tx, entry: Entry, uid: bytes, how: str) -> None:
    """End an item: "done" or "pushed_out"."""
    tx.sql.execute(
        "UPDATE awareness SET ended_at = ?, ended = ?, journal = ? WHERE uid = ? AND ended_at IS NULL",
        (entry.at, how, entry.id, uid),
    )


def _item(row: Row) -> AwarenessRow:
    uid, category, text, priority, metadata, *times = row
    return AwarenessRow(uid, category, text, priority, json.loads(metadata), *times)


@dataclass(frozen=True, slots=True)
class ConceptRow:
    """A concept as it is stored; `card` is the scheduler's own JSON."""

    uid: bytes
    concept: str
    norm: str
    card: str
    answers: int
    correct: int
    due_at: int
    last_at: int


_CONCEPT = "uid, concept, norm, card, answers, correct, due_at, last_at FROM concept_mastery"


def concept(sql: Connection, norm: str) -> ConceptRow | None:
    """A concept by its normalised name."""
    rows = sql.execute(f"SELECT {_CONCEPT} WHERE norm = ?", (norm,)).fetchall()
    return ConceptRow(*rows[0]) if rows else None


def concepts(sql: Connection, due_by: int, limit: int) -> list[ConceptRow]:
    """Concepts that are to be asked by a moment, the longest due first."""
    rows = sql.execute(f"SELECT {_CONCEPT} WHERE due_at <= ? ORDER BY due_at, id LIMIT ?", (due_by, limit))
    return [ConceptRow(*row) for row in rows]


def put_concept(tx: Tx, entry: Entry, row: ConceptRow) -> None:
    """Add a concept, or change the one of its name."""
    tx.sql.execute(
        """INSERT INTO concept_mastery (uid, concept, norm, card, answers, correct, due_at, last_at, journal)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (norm) DO UPDATE SET card = excluded.card, answers = excluded.answers,
             correct = excluded.correct, due_at = excluded.due_at, last_at = excluded.last_at,
             journal = excluded.journal""",
        (row.uid, row.concept, row.norm, row.card, row.answers, row.correct, row.due_at, row.last_at, entry.id),
    )
