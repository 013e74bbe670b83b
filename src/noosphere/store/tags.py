"""Tags of nodes, with when they were believed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.ids import uid_text
from noosphere.store.transaction import Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.store.connection import Connection
    from noosphere.store.nodes import NodeRow
    from noosphere.store.transaction import Entry, Tx


INSERT = "INSERT INTO tag (node, tag, known_from, opened_by) VALUES (?, ?, ?, ?)"


def add(tx: Tx, entry: Entry, node: NodeRow, names: Iterable[str]) -> list[str]:
    """Set tags that are not set; returns those that are new."""
    new = sorted(set(names) - set(of_node(tx.sql, node.id)))
    for name in new:
        last = tx.sql.execute("SELECT max(known_from) FROM tag WHERE node = ? AND tag = ?", (node.id, name)).get
        at = entry.at if last is None else tx.tick(entry, after=last)
        tx.put(Table.TAG, INSERT, (node.id, name, at, entry.waiting))
        entry.touched.tags.append([uid_text(node.uid), at, "opened"])
    return new


def add_first(tx: Tx, entry: Entry, node: NodeRow, names: Iterable[str]) -> None:
    """Set the tags of a node just created."""
    rows = [(node.id, name, entry.at, entry.waiting) for name in names]
    for row in rows:
        tx.put(Table.TAG, INSERT, row)
    if rows:
        entry.touched.tags.append([uid_text(node.uid), entry.at, "opened"])


def remove(tx: Tx, entry: Entry, node: NodeRow, names: Iterable[str]) -> list[str]:
    """Take off tags that are set; returns those that were."""
    gone = sorted(set(names) & set(of_node(tx.sql, node.id)))
    for name in gone:
        last = tx.sql.execute("SELECT max(known_from) FROM tag WHERE node = ? AND tag = ?", (node.id, name)).get
        at = tx.tick(entry, after=last or 0)
        tx.sql.execute(
            "UPDATE tag SET known_to = ?, closed_by = ? WHERE node = ? AND tag = ? AND known_to IS NULL",
            (at, entry.id, node.id, name),
        )
        entry.touched.tags.append([uid_text(node.uid), at, "closed"])
    return gone


def opened_at(sql: Connection, node: int, at: int) -> list[str]:
    """The tags a node got at a moment."""
    return [tag for (tag,) in sql.execute("SELECT tag FROM tag WHERE node = ? AND known_from = ?", (node, at))]


def closed_at(sql: Connection, node: int, at: int) -> list[str]:
    """The tags a node lost at a moment."""
    return [tag for (tag,) in sql.execute("SELECT tag FROM tag WHERE node = ? AND known_to = ?", (node, at))]


def of_node(sql: Connection, node: int) -> tuple[str, ...]:
    """The tags a node has now, in order."""
    rows = sql.execute("SELECT tag FROM tag WHERE node = ? AND known_to IS NULL ORDER BY tag", (node,))
    return tuple(tag for (tag,) in rows)


def counts(sql: Connection) -> list[tuple[str, int]]:
    """Every tag in use on what is current, with how many nodes carry it, the most used first."""
    rows = sql.execute(
        """SELECT t.tag, count(*) FROM tag AS t JOIN node_version AS v ON v.node = t.node AND v.known_to IS NULL
           WHERE t.known_to IS NULL AND v.retracted_at IS NULL AND v.merged_into IS NULL
             AND v.status IN ('draft', 'active', 'canonical')
           GROUP BY t.tag ORDER BY count(*) DESC, t.tag"""
    )
    return [(tag, count) for tag, count in rows]
