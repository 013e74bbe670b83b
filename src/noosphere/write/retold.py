"""Retelling: what was found wrong and is said again, as it was, revives nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.clock import DAY
from noosphere.ids import uid_text
from noosphere.model.timeline import strength
from noosphere.model.vocabulary import Status
from noosphere.store import frames, journal, nodes

if TYPE_CHECKING:
    from noosphere.store.connection import Connection
    from noosphere.store.nodes import VersionRow
    from noosphere.write.parse import Parsed

RETELLING = 30 * DAY  # how long after it was found wrong the same words are the same mistake; later they may be news


def is_retold(sql: Connection, memory: Parsed, version: VersionRow, now: int, *, in_other_words: bool = False) -> bool:
    """Whether a memory repeats one that was found wrong, from no stronger source, and corrects nothing itself.

    In other words it does so only when it was said before that one was found wrong, and comes in late.
    """
    state = version.state
    if not state.corrected or state.retracted_at is not None or state.merged_into is not None:
        return False
    if memory.correction is not None or _strength(memory.state) > _strength(state):
        return False
    told = now if memory.said_at is None else memory.said_at
    return told < _found_wrong_at(sql, version) + (0 if in_other_words else RETELLING)


def _strength(state: nodes.State) -> int:
    return strength(state.source, Status.ACTIVE)


def _found_wrong_at(sql: Connection, version: VersionRow) -> int:
    """When the correction was said, else when it was decided."""
    entry = journal.by_id(sql, version.opened_by)
    node = None if entry.target is None or entry.verb != "remember" else nodes.by_uid(sql, entry.target)
    if node is None or [uid_text(node.uid), 1] not in entry.detail.get("nodes", ()):
        return version.known_from
    said = frames.opening(sql, node.id).said_at
    return version.known_from if said is None else said
