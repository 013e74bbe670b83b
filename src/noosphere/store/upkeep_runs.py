"""Runs of upkeep: opened before the first change, counted on in each transaction, closed once and kept."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noosphere.store import lease

if TYPE_CHECKING:
    from collections.abc import Mapping

    from noosphere.store.connection import Connection
    from noosphere.store.transaction import Tx

HELD = {
    "memories": """SELECT count(*) FROM node_version AS v JOIN node AS n ON n.id = v.node AND n.class = 'memory'
      WHERE v.known_to IS NULL AND v.retracted_at IS NULL AND v.merged_into IS NULL
        AND v.status IN ('draft', 'active', 'canonical')""",
    "entities": """SELECT count(*) FROM node_version WHERE known_to IS NULL AND entity_type IS NOT NULL
        AND retracted_at IS NULL AND merged_into IS NULL AND status IN ('draft', 'active', 'canonical')""",
    "edges": "SELECT count(*) FROM edge WHERE known_to IS NULL",
}
COLUMNS = """uid, pass, started_at, ended_at, owner, actor, channel, most, taken, changed, before, after, problem
  FROM upkeep_runs"""

BEFORE, AFTER = 10, 11  # which of COLUMNS are JSON


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run; it is interrupted when it neither ended nor has a living process."""

    uid: bytes
    name: str
    started_at: int
    ended_at: int | None
    owner: str
    actor: str
    channel: str
    most: int
    taken: int
    changed: int
    before: dict[str, int]
    after: dict[str, int] | None
    problem: str | None

    @property
    def status(self) -> str:
        """Whether it is done, failed, still running, or was interrupted."""
        if self.ended_at is not None:
            return "done" if self.problem is None else "failed"
        return "running" if lease.lives(self.owner) else "interrupted"


def held(sql: Connection) -> dict[str, int]:
    """How many memories and entities are in use, and how many edges stand."""
    return {name: sql.execute(query).get for name, query in HELD.items()}


def begin(tx: Tx, name: str, most: int, before: Mapping[str, int]) -> int:
    """Open a run and return its number."""
    tx.sql.execute(
        """INSERT INTO upkeep_runs (uid, pass, started_at, owner, actor, channel, most, reached, before)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            tx.ids.new(), name, tx.now, lease.me(), tx.author.actor, tx.author.channel, most,
            reached(tx.sql, name), json.dumps(before),
        ),
    )  # fmt: skip
    return tx.sql.last_insert_rowid()


def count(tx: Tx, run: int, *, taken: int, changed: int, at: bytes | None) -> None:
    """Note how far a run has come, with the changes themselves."""
    tx.sql.execute(
        "UPDATE upkeep_runs SET taken = ?, changed = ?, reached = coalesce(?, reached) WHERE id = ?",
        (taken, changed, at, run),
    )


def end(tx: Tx, run: int, after: Mapping[str, int] | None, problem: str | None = None) -> None:
    """Close a run: with what is there now, or with what stopped it."""
    told = None if after is None else json.dumps(after)
    tx.sql.execute(
        "UPDATE upkeep_runs SET ended_at = max(started_at, ?), after = ?, problem = ? WHERE id = ?",
        (tx.now, told, problem, run),
    )


def reached(sql: Connection, name: str) -> bytes | None:
    """The frame up to which the runs of a pass have looked, killed ones too."""
    return sql.execute("SELECT reached FROM upkeep_runs WHERE pass = ? ORDER BY id DESC LIMIT 1", (name,)).get


def newest(sql: Connection, limit: int) -> list[RunRow]:
    """The newest runs first."""
    rows = sql.execute(f"SELECT {COLUMNS} ORDER BY id DESC LIMIT ?", (limit,))
    return [_row(row) for row in rows]


def by_number(sql: Connection, run: int) -> RunRow:
    """A run that is known to exist."""
    return _row(sql.execute(f"SELECT {COLUMNS} WHERE id = ?", (run,)).fetchall()[0])


def _row(row: Any) -> RunRow:
    values = list(row)
    values[BEFORE] = json.loads(values[BEFORE])
    values[AFTER] = None if values[AFTER] is None else json.loads(values[AFTER])
    return RunRow(*values)
