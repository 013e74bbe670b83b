"""The names of a memory whose text changed, tied anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.graph.rules import rules_of
from noosphere.graph.said import said
from noosphere.write.graph.bridge import tie_names
from noosphere.write.graph.entities import entities_of

if TYPE_CHECKING:
    from noosphere.store.nodes import NodeRow, State
    from noosphere.store.transaction import Entry, Tx


def retie(tx: Tx, entry: Entry, memory: NodeRow, frame: bytes, text: str, state: State) -> None:
    """Tie a memory to what its new text names; nothing when it looks like an attack or holds a secret."""
    if state.secret or state.suspect is not None:
        return
    told, rules = said(text), rules_of(tx.sql)
    found = entities_of(tx, entry, told, rules, [])
    tie_names(tx, entry, memory, frame, told, found, rules, [])
