"""What is remembered of imports: their sources, their runs, and what every item was when it last came in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noosphere.store import evidence, lease, meta, nodes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from noosphere.store.connection import Connection, Row
    from noosphere.store.transaction import Tx

LEARNT_TO = "learnt_to"  # in meta: turns up to this frame were learnt from
POINTED_TO = "pointed_to"  # in meta: a language model was asked about turns up to this frame
CAME_TO = "harvested_to"  # in meta: turns up to this frame may have come from imports
KEPT_REJECTS = 1000  # of one run; the caller got them all


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item as it last came in.

    Attributes:
        digest: of all it held.
        parts: how many turns it had; 1 for a note.
        updated: when it last changed by its source's own account, in microseconds UTC.
    """

    key: str
    adapter: str
    type: str
    digest: bytes
    parts: int
    updated: int | None


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A turn as it was said."""

    frame: int
    uid: bytes
    text: str
    said_at: int | None
    speaker: str | None
    speaker_role: str | None


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run; it is interrupted when it neither ended nor has a living process."""

    uid: bytes
    places: tuple[str, ...]
    adapter: str | None
    started_at: int
    ended_at: int | None
    actor: str
    status: str
    counts: dict[str, Any]
    rejects: tuple[dict[str, str | None], ...]
    unlearnt: int


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A place that was harvested, and what came from it."""

    uid: bytes
    place: str
    added_at: int
    last_at: int | None
    conversations: int
    notes: int
    adapters: tuple[str, ...]


def begin(tx: Tx, places: Sequence[str], adapter: str | None) -> int:
    """Open a run and return its number."""
    tx.sql.execute(
        """INSERT INTO harvest_runs (uid, places, adapter, started_at, owner, actor, status, counts, rejects)
           VALUES (?, ?, ?, ?, ?, ?, 'running', '{}', '[]')""",
        (tx.ids.new(), _json(places), adapter, tx.now, lease.me(), tx.author.actor),
    )
    return tx.sql.last_insert_rowid()


def checkpoint(tx: Tx, run: int, counts: Mapping[str, Any]) -> None:
    """Note how far a run has come."""
    tx.sql.execute("UPDATE harvest_runs SET counts = ? WHERE id = ?", (_json(counts), run))


def end(tx: Tx, run: int, status: str, counts: Mapping[str, Any], rejects: Sequence[Mapping[str, str | None]]) -> None:
    """Close a run."""
    tx.sql.execute(
        "UPDATE harvest_runs SET status = ?, ended_at = ?, counts = ?, rejects = ? WHERE id = ?",
        (status, tx.now, _json(counts), _json(rejects[:KEPT_REJECTS]), run),
    )


def source(tx: Tx, place: str, run: int) -> int:
    """The number of a place, noting that a run reads it."""
    tx.sql.execute(
        """INSERT INTO harvest_sources (uid, place, added_at, last_run) VALUES (?, ?, ?, ?)
           ON CONFLICT (place) DO UPDATE SET last_run = excluded.last_run""",
        (tx.ids.new(), place, tx.now, run),
    )
    return tx.sql.execute("SELECT id FROM harvest_sources WHERE place = ?", (place,)).get


def item(sql: Connection, key: str) -> ItemRow | None:
    """An item as it last came in; None when it never did."""
    rows = sql.execute(
        "SELECT key, adapter, type, digest, parts, updated FROM harvest_items WHERE key = ?", (key,)
    ).fetchall()
    return ItemRow(*rows[0]) if rows else None


def put(tx: Tx, row: ItemRow, source: int, run: int) -> None:
    """Note what an item was."""
    tx.sql.execute(
        """INSERT INTO harvest_items (key, adapter, type, source, run, digest, parts, updated)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (key) DO UPDATE SET adapter = excluded.adapter, type = excluded.type, source = excluded.source,
             run = excluded.run, digest = excluded.digest, parts = excluded.parts, updated = excluded.updated""",
        (row.key, row.adapter, row.type, source, run, row.digest, row.parts, row.updated),
    )
    _came(tx)


def grow(tx: Tx, key: str, parts: int) -> None:
    """Note that more of an item is in."""
    tx.sql.execute("UPDATE harvest_items SET parts = parts + ? WHERE key = ?", (parts, key))
    _came(tx)


def _came(tx: Tx) -> None:
    """Note that turns came in, which wait to be learnt from."""
    meta.put(tx.sql, CAME_TO, str(tx.sql.execute("SELECT coalesce(max(id), 0) FROM frame").get))


def turns_of(sql: Connection, key: str) -> dict[str, tuple[str, str, int | None]]:
    """Speaker, text and time of an item's turns, by their keys."""
    rows = sql.execute(
        """SELECT f.turn_key, f.speaker, f.text, f.said_at FROM frame AS f JOIN node AS n ON n.id = f.node
           WHERE n.key = ? AND f.turn_key IS NOT NULL AND f.text IS NOT NULL ORDER BY f.id DESC""",
        (key,),
    )
    return {turn: (speaker, text, at) for turn, speaker, text, at in rows}  # of several texts, the first


def node_of(sql: Connection, key: str) -> nodes.NodeRow | None:
    """The conversation or note that an item became."""
    node = nodes.by_key(sql, key)
    if node is None and (target := evidence.target_of_source(sql, key)) is not None:
        return nodes.by_uid(sql, target)
    return node


def is_forgotten(sql: Connection, key: str) -> bool:
    """Whether the conversation or note that an item became was forgotten here."""
    node = node_of(sql, key)
    return node is not None and nodes.current(sql, node.id).state.retracted_at is not None


def unlearnt(sql: Connection, after: int, limit: int) -> list[TurnRow]:
    """Turns of harvested conversations behind a frame that may be shown and lie on their path, as they were written."""
    rows = sql.execute(
        """SELECT f.id, f.uid, f.text, f.said_at, f.speaker, f.speaker_role FROM frame AS f
           JOIN node AS n ON n.id = f.node AND n.class = 'conversation'
           JOIN harvest_items AS h ON h.key = n.key AND h.type = 'conversation'
           LEFT JOIN frame_version AS v ON v.frame = f.id AND v.known_to IS NULL
           WHERE f.id > ? AND f.turn_key IS NOT NULL AND f.text IS NOT NULL AND v.retracted_at IS NULL
             AND v.suspect IS NULL AND coalesce(v.secret, 0) = 0
             AND NOT EXISTS (SELECT 1 FROM off_path AS o WHERE o.frame = f.id)
           ORDER BY f.id LIMIT ?""",
        (after, limit),
    )
    return [TurnRow(*row) for row in rows]


def learnt_to(sql: Connection, by: str = LEARNT_TO) -> int:
    """The last turn that was learnt from: by rules, or by asking a model."""
    return _frame(sql, by)


def came_to(sql: Connection) -> int:
    """Behind this frame no turn has come from an import."""
    return _frame(sql, CAME_TO)


def learn_to(tx: Tx, frame: int, by: str = LEARNT_TO) -> None:
    """Go on behind this turn the next time."""
    meta.put(tx.sql, by, str(frame))


def is_to_learn(sql: Connection, by: str = LEARNT_TO) -> bool:
    """Whether turns may wait to be learnt from; quick to tell."""
    return learnt_to(sql, by) < came_to(sql)


def count_unlearnt(sql: Connection, by: str = LEARNT_TO) -> dict[int, int]:
    """How many turns wait to be learnt from, by the number of the run that brought their conversation in last."""
    if not is_to_learn(sql, by):
        return {}
    return dict(
        sql.execute(
            """SELECT h.run, count(*) FROM harvest_items AS h CROSS JOIN node AS n ON n.key = h.key
               CROSS JOIN frame AS f ON f.node = n.id AND f.id > ?
               WHERE h.type = 'conversation' AND f.turn_key IS NOT NULL AND f.text IS NOT NULL GROUP BY h.run""",
            (learnt_to(sql, by),),
        ).fetchall()
    )


def _frame(sql: Connection, name: str) -> int:
    found = sql.execute("SELECT value FROM meta WHERE key = ?", (name,)).get
    return 0 if found is None else int(found)


def runs(sql: Connection, limit: int) -> list[RunRow]:
    """The newest runs first."""
    waiting = count_unlearnt(sql)
    rows = sql.execute(
        """SELECT id, uid, places, adapter, started_at, ended_at, actor, status, counts, rejects, owner
           FROM harvest_runs ORDER BY id DESC LIMIT ?""",
        (limit,),
    )
    return [_run(row[1:], waiting.get(row[0], 0)) for row in rows]


def sources(sql: Connection) -> list[SourceRow]:
    """Every place that was harvested, the last one first."""
    rows = sql.execute(
        """SELECT s.uid, s.place, s.added_at, r.started_at, count(*) FILTER (WHERE i.type = 'conversation'),
             count(*) FILTER (WHERE i.type = 'note'), json_group_array(DISTINCT i.adapter)
           FROM harvest_sources AS s LEFT JOIN harvest_runs AS r ON r.id = s.last_run
           LEFT JOIN harvest_items AS i ON i.source = s.id GROUP BY s.id ORDER BY s.last_run DESC, s.id DESC"""
    )
    return [
        SourceRow(uid, place, added_at, last_at, talks, notes, tuple(sorted(filter(None, json.loads(adapters)))))
        for uid, place, added_at, last_at, talks, notes, adapters in rows
    ]


def _run(row: Row, unlearnt: int) -> RunRow:
    uid, places, adapter, started_at, ended_at, actor, status, counts, rejects, owner = row
    if status == "running" and not lease.lives(owner):
        status = "interrupted"
    return RunRow(
        uid, tuple(json.loads(places)), adapter, started_at, ended_at, actor, status, json.loads(counts),
        tuple(json.loads(rejects)), unlearnt,
    )  # fmt: skip


def _json(value: Any) -> str:
    return json.dumps(value)
