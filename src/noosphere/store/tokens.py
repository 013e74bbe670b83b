"""The token store: the vectors of a unit's tokens, for the late interaction; of the newest units, as many as fit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from noosphere.store.connection import Connection
    from noosphere.store.transaction import Tx


def read(sql: Connection, space: int, frames: Iterable[int]) -> dict[int, bytes]:
    """The packed rows of those units that have some."""
    return dict(
        sql.execute(
            """SELECT t.frame, t.rows FROM json_each(?) AS w
               CROSS JOIN token_rows AS t ON t.space = ? AND t.frame = w.value""",
            (json.dumps(list(frames)), space),
        )
    )


def missing(sql: Connection, space: int, cap: int, limit: int) -> list[int]:
    """Of the newest `cap` units embedded in a space, at most `limit` that have no rows yet, newest first."""
    rows = sql.execute(
        """SELECT frame FROM (SELECT DISTINCT frame FROM vec WHERE space = :space ORDER BY frame DESC LIMIT :cap) AS v
           WHERE NOT EXISTS (SELECT 1 FROM token_rows AS t WHERE t.space = :space AND t.frame = v.frame)
           LIMIT :limit""",
        {"space": space, "cap": cap, "limit": limit},
    )
    return [frame for (frame,) in rows]


def write(tx: Tx, space: int, rows: Mapping[int, bytes], cap: int) -> None:
    """Store rows of units that are still embedded; the oldest units beyond the cap lose theirs."""
    tx.sql.executemany(
        """INSERT OR REPLACE INTO token_rows (space, frame, rows)
           SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM vec WHERE space = ?1 AND frame = ?2)""",
        [(space, frame, packed) for frame, packed in rows.items()],
    )
    tx.sql.execute(
        """DELETE FROM token_rows WHERE space = ?1 AND frame <
           (SELECT frame FROM token_rows WHERE space = ?1 ORDER BY frame DESC LIMIT 1 OFFSET ?2)""",
        (space, cap - 1),
    )


def drop(tx: Tx, frame: int) -> None:
    """Forget a unit's rows."""
    tx.sql.execute("DELETE FROM token_rows WHERE space IN (SELECT id FROM space) AND frame = ?", (frame,))
