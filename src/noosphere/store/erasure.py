"""Erasing a text: the rows that hold it or a copy of it, inside one transaction, under purge tickets.

What stays are ids, times and authors, and a keyed hash of what a memory said, by which imports know it again.
"""

from __future__ import annotations

import hmac
import json
from typing import TYPE_CHECKING

from noosphere.store import signals, vectors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from noosphere.store.connection import Connection
    from noosphere.store.frames import FrameRow
    from noosphere.store.nodes import NodeRow
    from noosphere.store.transaction import Tx

CLEANING = "cleaning"  # the fact in `meta` that stands from the erasure until the files hold nothing of it
DESCRIBING = (
    "fold_hash", "subject", "slot_subject", "attribute", "value", "value_norm", "functional", "title", "metadata",
    "trace_id", "rules",
)  # fmt: skip
DRAWN_FROM_NODE = """SELECT src FROM edge WHERE type = 'drawn_from' AND dst = ?1 AND src <> ?1
  UNION SELECT n.id FROM frame AS f JOIN evidence AS e ON e.frame = f.uid JOIN node AS n ON n.uid = e.target
  WHERE f.node = ?1 AND n.id <> ?1 AND n.class = 'memory'"""
DRAWN_FROM_FRAME = """SELECT src FROM edge WHERE type = 'drawn_from' AND dst_frame = ?1
  UNION SELECT n.id FROM frame AS f JOIN evidence AS e ON e.frame = f.uid JOIN node AS n ON n.uid = e.target
  WHERE f.id = ?1 AND n.id <> f.node AND n.class = 'memory'"""
# entities that rules found, and that nothing but this memory, and others that were purged, ever named
NAMED_BY = """SELECT DISTINCT e.dst FROM edge AS e JOIN node_version AS v ON v.node = e.dst AND v.known_to IS NULL
  WHERE e.src = ?1 AND e.type = 'mentions' AND v.source = 'agent_inferred'
    AND NOT EXISTS (SELECT 1 FROM edge AS o JOIN frame AS f ON f.node = o.src AND f.purged_at IS NULL
      WHERE o.dst = e.dst AND o.type = 'mentions' AND o.src <> ?1)
    AND NOT EXISTS (SELECT 1 FROM edge AS o WHERE (o.src = e.dst OR o.dst = e.dst) AND o.provenance = 'explicit')"""

# where a memory's evidence is; the key of an imported item stays, by which its source knows it again
POINTING = """SELECT uri, CASE WHEN source_id NOT IN (SELECT key FROM harvest_items) THEN source_id END
  FROM evidence WHERE target = ?"""
POINTLESS = """UPDATE evidence SET uri = NULL,
  source_id = CASE WHEN source_id IN (SELECT key FROM harvest_items) THEN source_id END WHERE target = ?"""

# the digest of an imported item is a hash of its text: without it the item is read again, and known again
DIGESTS = """UPDATE harvest_items SET digest = randomblob(32) WHERE key IN (
  SELECT e.source_id FROM frame AS f JOIN node AS n ON n.id = f.node JOIN evidence AS e ON e.target = n.uid
  WHERE f.id IN (SELECT value FROM json_each(?)))"""


def keyed(sql: Connection, fold_hash: bytes) -> bytes:
    """A hash that only this mind makes: it names an erased text without being that of the text anywhere else."""
    mind: str = sql.execute("SELECT value FROM meta WHERE key = 'mind'").get
    return hmac.digest(mind.encode(), fold_hash, "sha256")


def was_erased(sql: Connection, fold_hash: bytes) -> bool:
    """Whether a memory that said this was purged."""
    query = "SELECT 1 FROM node_version WHERE fold_hash = ? AND known_to IS NULL"
    return sql.execute(query, (keyed(sql, fold_hash),)).get is not None


def drawn_from(sql: Connection, node: int) -> list[int]:
    """The memories that were drawn from a node's texts, or rest on them as evidence."""
    return sorted(n for (n,) in sql.execute(DRAWN_FROM_NODE, (node,)))


def drawn_from_frame(sql: Connection, frame: int) -> list[int]:
    """The memories that were drawn from one turn or branch, or rest on it as evidence."""
    return sorted(n for (n,) in sql.execute(DRAWN_FROM_FRAME, (frame,)))


def named_by(sql: Connection, node: int) -> list[int]:
    """The entities whose names are known from this memory alone."""
    return sorted(n for (n,) in sql.execute(NAMED_BY, (node,)))


def texts(sql: Connection, frames: Sequence[FrameRow], node: NodeRow | None) -> list[str]:
    """All that is about to go: the frames' texts, what branches are called, and what describes the node."""
    found = [f.text for f in frames if f.text is not None]
    ids = json.dumps([f.id for f in frames])
    found += [
        text
        for (text,) in sql.execute(
            "SELECT description FROM frame_ref WHERE frame IN (SELECT value FROM json_each(?))", (ids,)
        )
        if text
    ]
    if node is not None:
        for row in sql.execute("SELECT title, value, metadata FROM node_version WHERE node = ?", (node.id,)):
            found += [text for text in row if text]
        found += [tag for (tag,) in sql.execute("SELECT tag FROM tag WHERE node = ?", (node.id,))]
        for row in sql.execute(POINTING, (node.uid,)):
            found += [text for text in row if text]
    return list(dict.fromkeys(found))


def rows(sql: Connection, frames: Iterable[FrameRow]) -> list[bytes]:
    """The vectors made of the frames, as they lie in the file and in segments."""
    ids = json.dumps([f.id for f in frames])
    found: list[bytes] = []
    for table, column in (("vec", "q"), ("vec", "f"), ("token_rows", "rows")):
        query = f"SELECT {column} FROM {table} WHERE frame IN (SELECT value FROM json_each(?))"
        found += [row for (row,) in sql.execute(query, (ids,))]
    return found


def erase(tx: Tx, at: int, frames: Sequence[FrameRow], node: NodeRow | None) -> None:
    """Blank the frames and every copy of them; `node` is the memory when all of it goes. Its units are gone before."""
    digests = [f.hash for f in frames if f.hash is not None]
    said = [f.text for f in frames if f.text is not None]
    tx.sql.executemany("INSERT INTO purge_ticket (frame) VALUES (?)", [(f.id,) for f in frames])
    for frame in frames:
        vectors.drop(tx, frame.id)
        signals.unhear(tx, frame.id)
        tx.sql.execute("UPDATE frame_ref SET description = NULL WHERE frame = ?", (frame.id,))
        if frame.purged_at is None:
            tx.sql.execute("UPDATE frame SET text = NULL, hash = NULL, purged_at = ? WHERE id = ?", (at, frame.id))
    if node is not None:
        _blank(tx, node)
    tx.sql.execute(DIGESTS, (json.dumps([f.id for f in frames]),))
    _release(tx, digests, said)
    tx.sql.execute("DELETE FROM purge_ticket")
    tx.sql.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (CLEANING, str(at)))


def _blank(tx: Tx, node: NodeRow) -> None:
    fold_hash = tx.sql.execute("SELECT fold_hash FROM node_version WHERE node = ? AND known_to IS NULL", (node.id,)).get
    blanks = ", ".join(f"{name} = NULL" for name in DESCRIBING)
    tx.sql.execute(f"UPDATE node_version SET {blanks} WHERE node = ?", (node.id,))
    tx.sql.execute("DELETE FROM tag WHERE node = ?", (node.id,))
    tx.sql.execute(POINTLESS, (node.uid,))
    query = "UPDATE node_version SET name = NULL, norm_name = 'purged ' || node, properties = NULL WHERE node = ?"
    tx.sql.executemany(query, [(entity,) for entity in named_by(tx.sql, node.id)])
    if fold_hash is not None:
        query = "UPDATE node_version SET fold_hash = ? WHERE node = ? AND known_to IS NULL"
        tx.sql.execute(query, (keyed(tx.sql, fold_hash), node.id))


def _release(tx: Tx, digests: Iterable[bytes], said: Iterable[str]) -> None:
    """Take copies that imports held back."""
    tx.sql.executemany("DELETE FROM quarantine WHERE hash = ?", [(digest,) for digest in digests])
    inside = [(json.dumps(text)[1:-1],) for text in said]  # as it stands inside the JSON
    tx.sql.executemany("DELETE FROM quarantine WHERE payload IS NOT NULL AND instr(payload, ?) > 0", inside)


def is_cleaning(sql: Connection) -> bool:
    """Whether the files may still hold what was erased."""
    return sql.execute("SELECT 1 FROM meta WHERE key = ?", (CLEANING,)).get is not None


def cleaned(sql: Connection) -> None:
    """Note that the files hold nothing of it any more."""
    sql.execute("DELETE FROM meta WHERE key = ?", (CLEANING,))
