"""Vector rows: what is still to be embedded, what was, and in which era's space it lies."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from noosphere.records import dataclass
from noosphere.store import fulltext, tokens
from noosphere.store.fulltext import Era

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from noosphere.store.connection import Connection
    from noosphere.store.transaction import Tx


@dataclass(frozen=True, slots=True)
class SpaceRow:
    """One model's space for one era."""

    id: int
    name: str
    era: Era
    fingerprint: str
    dim: int
    scale: float
    state: str = "filled"


@dataclass(frozen=True, slots=True)
class NewVector:
    """A chunk's vector about to be written: int8 for the scan, float16 for the rescore."""

    chunk: int
    start: int
    stop: int
    q: bytes
    f: bytes


FLOAT16_BYTES = 2
SOUND = "length(q) = :dim AND length(f) = 2 * :dim"  # another row, as after damage, is as good as none; doctor names it
MAX_TRIES = 5  # a text that a model refuses this often waits for `doctor` or another model


def ensure_space(
    tx: Tx, name: str, fingerprint: str, dim: int, scale: float, state: str = "filled"
) -> dict[Era, SpaceRow]:
    """Register a model's two spaces and return them.

    A space keeps the fingerprint it was made with; another fingerprint under the same name means other
    vectors, so the model comes in as a space of its own, named with its fingerprint.
    """
    new = name not in spaces(tx.sql)
    for era in Era:
        tx.sql.execute(
            """INSERT INTO space (name, era, fingerprint, dim, scale, state) VALUES (?, ?, ?, ?, ?, ?)
               ON CONFLICT DO NOTHING""",
            (name, era, fingerprint, dim, scale, state),
        )
    pair = spaces(tx.sql)[name]
    if new:  # what was stored before this model came is embedded too
        for era in Era:
            want_in(tx, pair[Era.NOW].id, sorted(fulltext.frames(tx.sql, era)))
    return pair


def spaces(sql: Connection) -> dict[str, dict[Era, SpaceRow]]:
    """Every space by name and era."""
    found: dict[str, dict[Era, SpaceRow]] = {}
    for row in sql.execute("SELECT id, name, era, fingerprint, dim, scale, state FROM space ORDER BY id"):
        space = SpaceRow(row[0], row[1], Era(row[2]), *row[3:])
        found.setdefault(space.name, {})[space.era] = space
    return found


def embedded(sql: Connection, space: SpaceRow) -> set[int]:
    """The units that have sound vectors in a space; unsound ones are as good as none."""
    rows = sql.execute(
        """SELECT frame FROM vec WHERE space = :space GROUP BY frame HAVING min(length(q)) = :dim
           AND max(length(q)) = :dim AND min(length(f)) = 2 * :dim AND max(length(f)) = 2 * :dim""",
        {"space": space.id, "dim": space.dim},
    )
    return {frame for (frame,) in rows}


def want_in(tx: Tx, space: int, frames: Iterable[int]) -> None:
    """Note that units are to be embedded in one space."""
    tx.sql.executemany("INSERT OR IGNORE INTO pending (space, frame) VALUES (?, ?)", [(space, f) for f in frames])


def drop_waiting(tx: Tx, space: int, units: Container[int]) -> None:
    """Take from the queue of a space what is no unit."""
    waiting = tx.sql.execute("SELECT frame FROM pending WHERE space = ?", (space,)).fetchall()
    strays = [(space, frame) for (frame,) in waiting if frame not in units]
    tx.sql.executemany("DELETE FROM pending WHERE space = ? AND frame = ?", strays)


def try_again(tx: Tx, space: int) -> int:
    """Have the texts tried again that a model refused; returns how many had been given up."""
    query = "SELECT count(*) FROM pending WHERE space = ? AND tries >= ?"
    given_up: int = tx.sql.execute(query, (space, MAX_TRIES)).get
    tx.sql.execute("UPDATE pending SET tries = 0 WHERE space = ? AND tries > 0", (space,))
    return given_up


def want(tx: Tx, frames: Sequence[int]) -> None:
    """Note that units are to be embedded in every space this mind fills."""
    for (space,) in tx.sql.execute("SELECT id FROM space WHERE era = 'now' AND state <> 'resting'").fetchall():
        want_in(tx, space, frames)


def drop(tx: Tx, frame: int) -> None:
    """Forget a unit's vectors and that it was to be embedded."""
    tokens.drop(tx, frame)
    tx.sql.execute("DELETE FROM pending WHERE space IN (SELECT id FROM space) AND frame = ?", (frame,))
    tx.sql.execute("DELETE FROM vec WHERE space IN (SELECT id FROM space) AND frame = ?", (frame,))


def move(tx: Tx, frame: int, era: Era) -> None:
    """Move a unit's vectors to the spaces of another era: buried there, written here with a new seq."""
    pairs = tx.sql.execute(
        "SELECT a.id, b.id FROM space AS a JOIN space AS b ON b.name = a.name WHERE a.era <> ? AND b.era = ?",
        (era, era),
    ).fetchall()
    for old, new in pairs:
        tx.sql.execute(
            """INSERT INTO vec (space, frame, chunk, start, stop, recipe, input_hash, q, f)
               SELECT ?, frame, chunk, start, stop, recipe, input_hash, q, f FROM vec WHERE space = ? AND frame = ?""",
            (new, old, frame),
        )
        tx.sql.execute("DELETE FROM vec WHERE space = ? AND frame = ?", (old, frame))


def waiting(sql: Connection, space: int, limit: int) -> list[int]:
    """Units still to be embedded in a space, oldest first."""
    rows = sql.execute(
        "SELECT frame FROM pending WHERE space = ? AND tries < ? ORDER BY frame LIMIT ?", (space, MAX_TRIES, limit)
    )
    return [frame for (frame,) in rows]


def count_waiting(sql: Connection) -> dict[str, int]:
    """How many units wait to be embedded, by space."""
    return dict(
        sql.execute("SELECT s.name, count(*) FROM pending AS p JOIN space AS s ON s.id = p.space GROUP BY s.name")
    )


def write(
    tx: Tx, pair: dict[Era, SpaceRow], frame: int, era: Era, recipe: str, input_hash: bytes, rows: Sequence[NewVector]
) -> bool:
    """Write a unit's vectors if it is still waiting; returns whether it was."""
    now_space = pair[Era.NOW].id
    tx.sql.execute("DELETE FROM pending WHERE space = ? AND frame = ?", (now_space, frame))
    if tx.sql.changes() == 0:
        return False
    for space in pair.values():
        tx.sql.execute("DELETE FROM vec WHERE space = ? AND frame = ?", (space.id, frame))
    tx.sql.executemany(
        """INSERT INTO vec (space, frame, chunk, start, stop, recipe, input_hash, q, f)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        [(pair[era].id, frame, r.chunk, r.start, r.stop, recipe, input_hash, r.q, r.f) for r in rows],
    )
    return True


def cosines(sql: Connection, space: int, frames: Iterable[int], query: NDArray[np.float32]) -> dict[int, float]:
    """The exact cosine of a unit-length query with each unit that has vectors here: its best chunk's."""
    rows = sql.execute(
        "SELECT v.frame, v.f FROM json_each(?) AS w CROSS JOIN vec AS v ON v.space = ? AND v.frame = w.value"
        " WHERE length(v.f) = ?",
        (json.dumps(list(frames)), space, FLOAT16_BYTES * len(query)),
    ).fetchall()
    if not rows:
        return {}
    found: dict[int, float] = {}
    for (frame, _), score in zip(rows, exact([f for _, f in rows], query).tolist(), strict=True):
        found[frame] = max(score, found.get(frame, -1.0))
    return found


def exact(rows: Sequence[bytes], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """The dot products of a query with float16 rows, shape (n,)."""
    import numpy as np  # noqa: PLC0415  (only the meaning lane needs it)

    return products(np.frombuffer(b"".join(rows), np.float16).reshape(len(rows), -1), query)


def products(matrix: NDArray[np.float16], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """The dot products of a query with the rows of a matrix; a row that damage made no numbers is near none."""
    import numpy as np  # noqa: PLC0415  (only the meaning lane needs it)

    with np.errstate(invalid="ignore", over="ignore"):
        scores = matrix.astype(np.float32) @ query
    scores[~np.isfinite(scores)] = -1.0
    return scores


def vector_of(sql: Connection, space: SpaceRow, frame: int) -> NDArray[np.float32] | None:
    """The first chunk's vector of a unit, or None when it has none in this space."""
    import numpy as np  # noqa: PLC0415  (only the meaning lane needs it)

    query = "SELECT f FROM vec WHERE space = ? AND frame = ? AND chunk = 0 AND length(f) = ?"
    row = sql.execute(query, (space.id, frame, FLOAT16_BYTES * space.dim)).get
    return None if row is None else np.nan_to_num(np.frombuffer(row, np.float16).astype(np.float32))


def is_waiting(sql: Connection, frame: int) -> bool:
    """Whether a unit waits to be embedded in some space."""
    query = "SELECT 1 FROM pending WHERE space IN (SELECT id FROM space) AND frame = ?"
    return sql.execute(query, (frame,)).get is not None


def failed(tx: Tx, space: int, frame: int) -> None:
    """Count a failure to embed a unit; it stays waiting."""
    tx.sql.execute("UPDATE pending SET tries = tries + 1 WHERE space = ? AND frame = ?", (space, frame))
