"""How a hit stands: what else says it, whether it still holds, and what may have become of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.clock import micros
from noosphere.model.when import day_of

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from noosphere.model.hit import Hit


def standing(hit: Hit, zone: tzinfo) -> list[str]:
    """The remarks on it, in words; none where there is nothing to say."""
    remarks: list[str] = []
    if hit.evidence_count > 1:
        remarks.append(f"evidence {hit.evidence_count}")
    if hit.also:
        remarks.append(f"said in other words too, {len(hit.also)}×")
    if hit.overtaken_by is not None:
        remarks.append(f"probably overtaken by {hit.overtaken_by}")
    if hit.begins is not None:
        remarks.append(f"not yet, from {_day(hit.begins, zone)}")
    elif not hit.current:
        remarks.append(f"no longer true since {_day(hit.dates.valid_to, zone)}" if hit.dates.valid_to else "past")
    if hit.stale_since is not None:
        remarks.append(f"as of {_day(hit.stale_since, zone)}, verify")
    return remarks


def _day(at: datetime, zone: tzinfo) -> str:
    return day_of(micros(at), zone)
