"""What a mind says of types and relations beyond the default ontology, and every state of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.transaction import Entry, Tx

ENTITY_TYPES, EDGE_TYPES = REGISTRIES = ("entity_type", "edge_type")
_USED = {
    ENTITY_TYPES: "SELECT opened_by FROM node_version WHERE entity_type = ? AND opened_by > ?",
    EDGE_TYPES: "SELECT opened_by FROM edge WHERE type = ? AND opened_by > ?",
}


def own_rules(sql: Connection) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """The rules of a mind's own types and of its own relations, by name."""
    types, relations = (
        {
            name: json.loads(rule)
            for name, rule in sql.execute(
                f"SELECT name, rule FROM {registry} WHERE rule IS NOT NULL AND withdrawn = 0 ORDER BY name"
            )
        }
        for registry in REGISTRIES
    )
    return types, relations


def set_rule(tx: Tx, entry: Entry, registry: str, name: str, rule: dict[str, Any]) -> bool:
    """Add a type or a relation, or say something else of one; whether that changes anything."""
    written = json.dumps(rule, sort_keys=True)
    before = _cached(tx.sql, registry, name)
    if before == (written, 0):
        return False
    _write(tx, entry, registry, name, written, withdrawn=0, existed=before is not None)
    return True


def take_back(tx: Tx, entry: Entry, registry: str, name: str, n: int, *, existed: bool) -> None:
    """Give a name the state that it had before its version n; what that one added is withdrawn."""
    rows = tx.sql.execute(
        "SELECT rule, withdrawn FROM registry_version WHERE registry = ? AND name = ? AND n = ?",
        (registry, name, n - 1),
    ).fetchall()
    rule, withdrawn = rows[0] if rows else (None, int(not existed))
    _write(tx, entry, registry, name, rule, withdrawn=withdrawn, existed=True)


def resting_on(sql: Connection, registry: str, name: str, n: int, after: int, *, existed: bool) -> set[int]:
    """Entries later than `after` that changed a name again, or used one that its version n added."""
    found = {
        entry
        for (entry,) in sql.execute(
            "SELECT journal FROM registry_version WHERE registry = ? AND name = ? AND n > ?", (registry, name, n)
        )
    }
    return found if existed else found | {entry for (entry,) in sql.execute(_USED[registry], (name, after))}


def _cached(sql: Connection, registry: str, name: str) -> tuple[str | None, int] | None:
    rows = sql.execute(f"SELECT rule, withdrawn FROM {registry} WHERE name = ?", (name,)).fetchall()
    return (rows[0][0], rows[0][1]) if rows else None


def _write(tx: Tx, entry: Entry, registry: str, name: str, rule: str | None, *, withdrawn: int, existed: bool) -> None:
    n = tx.sql.execute(
        "SELECT coalesce(max(n), 0) + 1 FROM registry_version WHERE registry = ? AND name = ?", (registry, name)
    ).get
    tx.sql.execute(
        "INSERT INTO registry_version (registry, name, n, rule, withdrawn, journal) VALUES (?, ?, ?, ?, ?, ?)",
        (registry, name, n, rule, withdrawn, entry.id),
    )
    tx.sql.execute(
        f"""INSERT INTO {registry} (name, rule, withdrawn) VALUES (?, ?, ?) ON CONFLICT (name)
            DO UPDATE SET rule = excluded.rule, withdrawn = excluded.withdrawn""",
        (name, rule, withdrawn),
    )
    entry.touched.rules.append([registry, name, n, existed])
