"""What every change of a node has in common: its next version, its slots derived again, its units in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.ids import uid_text
from noosphere.model.vocabulary import NodeClass
from noosphere.store import nodes, path, slots, units
from noosphere.store.slots import SlotKey

if TYPE_CHECKING:
    from noosphere.store.nodes import NodeRow, State
    from noosphere.store.transaction import Entry, Tx


def apply(tx: Tx, entry: Entry, node: NodeRow, state: State) -> tuple[str, ...]:
    """Open the node's next version, derive its slots again, and put every unit concerned in its place."""
    if node.node_class is NodeClass.CONVERSATION:
        state = state._replace(head=path.leaf_of(tx.sql, node.id))  # what was appended since belongs to it
    if state.settled is not None:
        state = _still_settled(nodes.current(tx.sql, node.id).state, state)
    filled = slots.of_node(tx.sql, node.id)
    before = nodes.open_next(tx, entry, node, state).state
    if state.slot_subject is not None and state.attribute is not None:
        filled.add(SlotKey(state.slot_subject, state.attribute))
    ended: set[int] = set()
    others: set[int] = set()
    for slot in sorted(filled, key=lambda s: (s.subject, s.attribute)):
        change = slots.recompute(tx, entry, slot)
        ended |= set(change.ended(entry.at))
        others |= change.nodes()
    indexed = (state.title, state.slot_subject, state.attribute)
    other_words = indexed != (before.title, before.slot_subject, before.attribute)
    retitled = [state.head] if other_words and state.head is not None else []
    units.place(tx, node, entry.at, changed_text=retitled)
    for other in sorted(others - {node.id}):
        units.place(tx, nodes.by_id(tx.sql, other), entry.at)
    return tuple(uid_text(nodes.by_id(tx.sql, n).uid) for n in sorted(ended - {node.id}))


def _still_settled(before: State, state: State) -> State:
    """The state; a decision about what it said is none about another value, or the same from another time."""
    told, tells = ((s.slot_subject, s.attribute, s.value_norm, s.negated, s.valid_from) for s in (before, state))
    return state._replace(settled=None) if before.settled == state.settled and told != tells else state
