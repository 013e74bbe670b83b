"""Identity: one memory is stored once, and an entity is its type and name; a change never makes two of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.ids import uid_text
from noosphere.model.outcome import Reason, Refused
from noosphere.model.vocabulary import CURRENT_STATUSES
from noosphere.store import nodes, slots, units
from noosphere.store.slots import SlotKey
from noosphere.write.parse import dedup_key

if TYPE_CHECKING:
    from datetime import tzinfo

    from noosphere.store.connection import Connection
    from noosphere.store.nodes import NodeRow, State, VersionRow


def taken(sql: Connection, node: NodeRow, state: State, zone: tzinfo, now: int) -> Refused | None:
    """The refusal to bring a node into a state in which it would be the same as another current one."""
    other = twin(sql, node, state, zone, now)
    if other is None:
        return None
    return Refused(
        reason=Reason.TAKEN, message=f"{uid_text(other.uid)} is the same already; forget one of the two first"
    )


def twin(sql: Connection, node: NodeRow, state: State, zone: tzinfo, now: int) -> NodeRow | None:
    """The other current node that a node in this state would be the same as, when the state makes it so."""
    before = nodes.current(sql, node.id).state
    if not is_in_use(state) or (is_in_use(before) and _identity(before, zone) == _identity(state, zone)):
        return None
    if state.entity_type is not None:
        found = nodes.entity_named(sql, state.entity_type, state.norm_name or "")
        return None if found is None or found[0].id == node.id else found[0]
    for other, version in nodes.with_fold(sql, state.fold_hash or b""):
        same = other.id != node.id and _identity(version.state, zone) == _identity(state, zone)
        if same and is_current(sql, version, now) and not _one_ends(sql, state, version.state):
            return other
    return None


def is_in_use(state: State) -> bool:
    """Whether a node is neither forgotten, merged, deprecated nor archived."""
    return state.retracted_at is None and state.merged_into is None and state.status in CURRENT_STATUSES


def is_current(sql: Connection, version: VersionRow, now: int) -> bool:
    """Whether a memory is in use and its end lies ahead."""
    return is_in_use(version.state) and units.ends_at(sql, version.node, version.state) > now


def _identity(state: State, zone: tzinfo) -> tuple[object, ...]:
    return (state.fold_hash, state.entity_type, state.norm_name, *dedup_key(state, zone))


def _one_ends(sql: Connection, state: State, other: State) -> bool:
    """Whether one of two ends the other: values of one functional slot, unless they start as one and differ."""
    if state.attribute is None or not slots.spells(sql, SlotKey(state.slot_subject or "", state.attribute)):
        return False
    return state.valid_from != other.valid_from or state.value_norm == other.value_norm
