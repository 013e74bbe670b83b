"""The names of memories, tied after their commit: what waits stands in the file, so that no end of a process loses it.

Each memory's names have a journal entry of their own, which is taken back with the entry that wrote the memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.graph.rules import rules_of
from noosphere.graph.said import said
from noosphere.ids import parse_uid
from noosphere.store import frames, nodes, unnamed
from noosphere.write.graph.bridge import tie_names
from noosphere.write.graph.entities import entities_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.graph.ontology import Ontology
    from noosphere.graph.said import Said
    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.store.transaction import Tx

BATCH = 200  # memories in one transaction: the write lock is held for some fortieth of a second


def name_waiting(mind: MindFile, limit: int | None = None) -> int:
    """Tie the names of memories that wait, at most `limit` of them, the oldest first; returns how many were tied.

    Each batch is read outside the transaction that ties it, which looks again at what still waits: two processes may
    read the same, and tie it once.
    """
    named = 0
    while limit is None or named < limit:
        most = BATCH if limit is None else min(BATCH, limit - named)
        with mind.read() as sql:
            read = {frame: _said(sql, frame) for frame in unnamed.waiting(sql, most)}
        if not read:
            break
        with mind.write() as tx:
            _tie(tx, read, [])
        named += len(read)
    return named


def names_wait(mind: MindFile) -> bool:
    """Whether the names of any memory wait."""
    with mind.read() as sql:
        return bool(unnamed.waiting(sql, 1))


def name_now(tx: Tx, waiting: Iterable[int], broken: list[str] | None = None) -> None:
    """Tie the names of some frames that wait, before anything else is done to their memories.

    Args:
        tx: the write transaction, in which no entry is open.
        waiting: the frames.
        broken: takes the rules of the ontology that names and relations broke, and so were left out.
    """
    _tie(tx, {frame: _said(tx.sql, frame) for frame in waiting}, [] if broken is None else broken)


def name_written(mind: MindFile, ids: Iterable[str], broken: list[str]) -> None:
    """Tie the names of memories that were just written; `broken` takes the rules that they broke."""
    with mind.write() as tx:
        for one in ids:
            node = nodes.by_uid(tx.sql, parse_uid(one))
            name_now(tx, [] if node is None else unnamed.of_node(tx.sql, node.id), broken)


def _said(sql: Connection, frame: int) -> Said | None:
    """What a frame says of the graph; None when its text was purged."""
    text = frames.by_id(sql, frame).text
    return None if text is None else said(text)


def _tie(tx: Tx, read: dict[int, Said | None], broken: list[str]) -> None:
    rules = rules_of(tx.sql)
    for frame, told in read.items():
        if told is not None and not told.empty and unnamed.waits(tx.sql, frame):
            _one(tx, frame, told, rules, broken)
    unnamed.done(tx, read)


def _one(tx: Tx, number: int, told: Said, rules: Ontology, broken: list[str]) -> None:
    frame = frames.by_id(tx.sql, number)
    memory = nodes.by_id(tx.sql, frame.node)
    entry = tx.open("name")
    found = entities_of(tx, entry, told, rules, broken)
    tie_names(tx, entry, memory, frame.uid, told, found, rules, broken)
    if entry.touched.written:
        tx.close(entry, memory.uid)
    else:
        tx.abandon(entry)
