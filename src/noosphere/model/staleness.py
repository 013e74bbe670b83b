"""Staleness: what may have changed, and was neither changed nor checked for too long, is shown with a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.clock import DAY
from noosphere.model.vocabulary import Volatility

if TYPE_CHECKING:
    from noosphere.model.unit import Unit

STALE_AFTER = 90 * DAY  # the seed's measure
MAY_CHANGE = frozenset({Volatility.STATE, Volatility.VOLATILE})


def held_at(*, said_at: int | None, recorded_at: int, changed_at: int, checked_at: int | None) -> int:
    """When a memory was last known to hold: changed, checked or, if neither since it was stored, said.

    What was said long ago and imported today is as old as it was said.
    """
    told = changed_at if changed_at > recorded_at or said_at is None else said_at
    return told if checked_at is None else max(told, checked_at)


def stale_since(volatility: Volatility | str | None, held: int, now: int) -> int | None:
    """When it was last known to hold, if that is too long ago; None for what is durable or fresh."""
    return held if volatility in MAY_CHANGE and held < now - STALE_AFTER else None


def unit_stale_since(unit: Unit, now: int) -> int | None:
    """The same of a unit as recall reads it."""
    if unit.volatility not in MAY_CHANGE:
        return None
    held = held_at(
        said_at=unit.said_at, recorded_at=unit.recorded_at, changed_at=unit.changed_at, checked_at=unit.checked_at
    )
    return stale_since(unit.volatility, held, now)
