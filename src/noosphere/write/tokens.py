"""Filling the token store: the vectors of units' tokens for the late interaction, by one leased worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.model.names import in_context
from noosphere.store import frames, lease, tokens, units
from noosphere.store.fold import fold
from noosphere.store.fulltext import Era

if TYPE_CHECKING:
    from noosphere.providers.ports import LateEmbedder
    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.store.vectors import SpaceRow

BATCH = 64  # units in one turn of the worker: about a second


def store_tokens(mind: MindFile, embedder: LateEmbedder, pair: dict[Era, SpaceRow], cap: int, limit: int) -> int:
    """Store the token vectors of up to `limit` units that have none, the newest first; returns how many were done.

    Returns 0 at once when another living process is at it.
    """
    done = 0
    while done < limit:
        taken = _take(mind, pair[Era.NOW], cap, min(BATCH, limit - done))
        if not taken:
            break
        with mind.read() as sql:
            inputs = {frame: given for frame in taken if (given := late_input(sql, frame)) is not None}
        rows = {frame: embedder.late_document(*given).tobytes() for frame, given in inputs.items()}
        with mind.write(rows=len(rows)) as tx:
            tokens.write(tx, pair[Era.NOW].id, rows, cap)
            lease.release(tx.sql, _lease_name(pair[Era.NOW]))
        done += len(taken)
        if len(rows) < len(taken):
            break  # what was purged meanwhile would be taken again
    return done


def tokens_due(mind: MindFile, pair: dict[Era, SpaceRow], cap: int) -> bool:
    """Whether one of the newest `cap` units has no token vectors."""
    with mind.read() as sql:
        return bool(tokens.missing(sql, pair[Era.NOW].id, cap, 1))


def late_input(sql: Connection, frame: int) -> tuple[str, str] | None:
    """A unit's text and that of the turn before it, names stripped; None when the text was purged."""
    row = frames.by_id(sql, frame)
    if not row.is_turn:
        text = fold(sql, frame)
        return None if text is None else (text, "")
    if row.text is None:
        return None
    before = units.turn_before(sql, row)
    names = {row.speaker or "", (before.speaker or "") if before else "", *frames.participant_names(sql, row)}
    return in_context(row.text, before.text if before else None, names)


def _take(mind: MindFile, space: SpaceRow, cap: int, limit: int) -> list[int]:
    with mind.read() as sql:
        taken = tokens.missing(sql, space.id, cap, limit)
    if not taken:
        return []
    with mind.write() as tx:
        return taken if lease.take(tx.sql, _lease_name(space), tx.clock_now) else []


def _lease_name(space: SpaceRow) -> str:
    return f"tokens:{space.name}"
