"""What a file says of itself: mind uuid, incarnation, zone, and the space its meaning lane uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.errors import ReadOnlyMind
from noosphere.records import dataclass

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.store.connection import Connection


@dataclass(frozen=True, slots=True)
class Meta:
    """A mind's own facts."""

    mind: str
    incarnation: str
    zone: str
    created_at: int
    active_space: str | None
    retired_at: int | None
    layout: str | None = None  # which state of the schema it has (layout.py)
    fold: int | None = None  # which fold its full text was made by (refold.py)


LAYOUT = "layout"
FOLD = "fold"


def read(sql: Connection) -> Meta | None:
    """Read them; None while the mind is being made."""
    rows: dict[str, str] = dict(sql.execute("SELECT key, value FROM meta"))
    if "mind" not in rows:
        return None
    retired = rows.get("retired_at")
    return Meta(
        mind=rows["mind"],
        incarnation=rows["incarnation"],
        zone=rows["zone"],
        created_at=int(rows["created_at"]),
        active_space=rows.get("active_space"),
        retired_at=int(retired) if retired else None,
        layout=rows.get(LAYOUT),
        fold=int(rows[FOLD]) if FOLD in rows else None,
    )


def put(sql: Connection, key: str, value: str) -> None:
    """Set one fact, inside a write transaction."""
    sql.execute("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (key, value))  # fmt: skip


def refuse_if_retired(sql: Connection, path: Path) -> None:
    """Stop a write to a mind whose workspace was deleted.

    Raises:
        ReadOnlyMind: it was.
    """
    if sql.execute("SELECT 1 FROM meta WHERE key = 'retired_at' AND value <> ''").get is not None:
        raise ReadOnlyMind(str(path), "was deleted", "Restore the workspace first, within its undo period")
