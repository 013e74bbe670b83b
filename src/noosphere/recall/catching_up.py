"""Catching up: what matters first, then what is new; for questions without a topic, and for `brief`.

A question of a time and nothing else ("what happened last week?") gets what is of that time, in its order.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from noosphere.model.trace import Listed, Searched
from noosphere.model.vocabulary import Importance
from noosphere.recall.gather import Sight
from noosphere.recall.hits import listed_hit
from noosphere.recall.once import SPARE, of_hit, shown_once
from noosphere.store import listing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.model.hit import Hit
    from noosphere.model.trace import Step
    from noosphere.model.unit import Unit
    from noosphere.model.when.naming import Period
    from noosphere.recall.gathering import Reader
    from noosphere.recall.plan import Plan
    from noosphere.store.connection import Connection

IMPORTANT = 5  # shown with every answer, whether they match or not
MOST_IN_TIME = 2_000  # units of a time that are looked at, the oldest first
LOOKED_AT = 4  # times as many as wanted are looked at, for some may not be shown
DECISION = "decision"
TIERS = (Importance.CRITICAL, Importance.IMPORTANT)


def caught_up(readers: Sequence[Reader], plan: Plan, steps: list[Step]) -> tuple[Hit, ...]:
    """What is critical, important or decided, then the newest, the best k over all minds; of a time what is in it."""
    timed = _of_time(readers, plan, plan.window, steps) if plan.window is not None else ()
    if timed:
        return timed
    found: list[tuple[int, int, Hit]] = []
    for reader in readers:
        steps.append(Searched(reader.name))
        with reader.mind.read() as sql:
            units = _units(sql, plan, plan.k * LOOKED_AT)
        for unit in units:
            hit = listed_hit(unit, plan.view, mind=reader.mind.mind, zone=readers[0].mind.zone)
            found.append((_tier(unit), -unit.changed_at, hit))
    found.sort(key=lambda each: (each[0], each[1], each[2].id))
    steps.append(Listed("catch-up", len(found)))
    once = shown_once([hit for _, _, hit in found[: plan.k + SPARE]], of_hit, steps)[: plan.k]
    return tuple(replace(hit, also=also) for hit, also in once)


def _of_time(readers: Sequence[Reader], plan: Plan, window: Period, steps: list[Step]) -> tuple[Hit, ...]:
    """What was said or happened in a time, in its order; when that is more than k, what matters and the latest."""
    found: list[tuple[int, int, Hit]] = []
    for reader in readers:
        with reader.mind.read() as sql:
            sight = Sight(sql, plan)
            frames = listing.within(sql, window.start, window.end, MOST_IN_TIME)
            sight.look(dict.fromkeys(frames))
            units = [sight.unit(frame) for frame in dict.fromkeys(frames) if sight.why_not(frame) is None]
        for unit in units:
            if window.start <= unit.happened_at < window.end:
                hit = listed_hit(unit, plan.view, mind=reader.mind.mind, zone=readers[0].mind.zone)
                found.append((_tier(unit), unit.happened_at, hit))
    steps.append(Listed("time", len(found)))
    found.sort(key=lambda each: (each[0], -each[1], each[2].id))
    return tuple(hit for _, _, hit in sorted(found[: plan.k], key=lambda each: (each[1], each[2].id)))


def important(readers: Sequence[Reader], plan: Plan) -> tuple[Hit, ...]:
    """What these minds hold critical or important, the newest first, at most five."""
    found: list[tuple[int, int, Hit]] = []
    for reader in readers:
        with reader.mind.read() as sql:
            sight = Sight(sql, plan)
            frames = listing.important(sql, IMPORTANT * LOOKED_AT)
            sight.look(frames)
            units = [sight.unit(frame) for frame in frames if sight.why_not(frame) is None]
        for unit in units[:IMPORTANT]:
            hit = listed_hit(unit, plan.view, mind=reader.mind.mind, zone=readers[0].mind.zone)
            found.append((_tier(unit), -unit.changed_at, hit))
    found.sort(key=lambda each: (each[0], each[1], each[2].id))
    return tuple(hit for _, _, hit in found[:IMPORTANT])


def _units(sql: Connection, plan: Plan, limit: int) -> list[Unit]:
    sight = Sight(sql, plan)
    frames = [
        *listing.important(sql, limit),
        *listing.of_role(sql, DECISION, limit),
        *listing.newest(sql, limit),
        *listing.newest_turns(sql, limit),
    ]
    sight.look(dict.fromkeys(frames))
    return [sight.unit(frame) for frame in dict.fromkeys(frames) if sight.why_not(frame) is None]


def _tier(unit: Unit) -> int:
    """What comes first: critical, important, decided, then everything else."""
    if unit.importance in TIERS:
        return TIERS.index(unit.importance)
    return len(TIERS) if unit.role == DECISION else len(TIERS) + 1
