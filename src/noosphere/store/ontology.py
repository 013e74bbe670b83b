"""What a mind says of types and relations beyond the default ontology."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.transaction import Tx

TABLES = ("entity_type", "edge_type")


def own_rules(sql: Connection) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """The rules of a mind's own types and of its own relations, by name."""
    types, relations = (
        {
            name: json.loads(rule)
            for name, rule in sql.execute(f"SELECT name, rule FROM {table} WHERE rule IS NOT NULL ORDER BY name")
        }
        for table in TABLES
    )
    return types, relations


def set_type(tx: Tx, name: str, rule: dict[str, Any]) -> None:
    """Add a type of entities, or say something else of one."""
    _set(tx, "entity_type", name, rule)


def set_relation(tx: Tx, name: str, rule: dict[str, Any]) -> None:
    """Add a relation, or say something else of one."""
    _set(tx, "edge_type", name, rule)


def _set(tx: Tx, table: str, name: str, rule: dict[str, Any]) -> None:
    tx.sql.execute(
        f"INSERT INTO {table} (name, rule) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET rule = excluded.rule",
        (name, json.dumps(rule, sort_keys=True)),
    )
