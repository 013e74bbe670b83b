"""Relevance beside the match: how recent, used, connected and important a unit is, bounded, weighted by a profile.

It is added to the order with a small weight: a fresh weak match must not beat an old exact one.
"""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING, Literal

from noosphere.clock import DAY
from noosphere.model.vocabulary import Importance, Volatility
from noosphere.recall.weights import weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.model.unit import Unit

Profile = Literal["balanced", "recent", "important", "connected"]
PROFILES: dict[Profile, dict[str, float]] = {
    "balanced": {"temporal": 0.4, "popularity": 0.2, "contextual": 0.2, "importance": 0.2},
    "recent": {"temporal": 0.6, "popularity": 0.1, "contextual": 0.2, "importance": 0.1},
    "important": {"temporal": 0.1, "popularity": 0.1, "contextual": 0.2, "importance": 0.6},
    "connected": {"temporal": 0.1, "popularity": 0.1, "contextual": 0.6, "importance": 0.2},
}  # the seed's
DEFAULT: Profile = "balanced"
FRESH = 7 * DAY
HALF_LIFE = 30 * DAY
FLOORS = {Volatility.DURABLE: 0.9, Volatility.STATE: 0.6, Volatility.VOLATILE: 0.15}
IMPORTANCE = {
    Importance.CRITICAL: 1.0,
    Importance.IMPORTANT: 0.75,
    Importance.NORMAL: 0.5,
    Importance.TEMPORARY: 0.35,
}  # the seed's 2, 1.5, 1 and 0.7, halved
MOST_POPULAR = 0.3
NEARNESS = (1.0, 0.7, 0.4, 0.2)  # by edges between a unit's node and those the question is about


def counts(profile: Profile) -> bool:
    """Whether relevance has a part in the order."""
    return profile != DEFAULT or weights("keyword")["relevance"] != 0


def relevance(unit: Unit, now: int, profile: Profile, distance: int | None = None) -> dict[str, float]:
    """The parts of a unit's relevance, each in 0..1, already weighted by the profile; their sum is at most 1."""
    weight = PROFILES[profile]
    parts = {
        "temporal": recency(now - unit.happened_at, unit.volatility),
        "popularity": min(MOST_POPULAR, 0.1 * log10(1 + unit.use_count)) / MOST_POPULAR,
        "contextual": NEARNESS[distance] if distance is not None and distance < len(NEARNESS) else 0.0,
        "importance": IMPORTANCE[unit.importance],
    }
    return {name: weight[name] * value for name, value in parts.items()}


def recency(age: int, volatility: Volatility) -> float:
    """How fresh something is: 1 for a week, then halved every 30 days, down to what its kind keeps."""
    floor = FLOORS[volatility]
    faded = 1.0 if age <= FRESH else 0.5 ** ((age - FRESH) / HALF_LIFE)
    return floor + (1 - floor) * faded


def column(units: Sequence[Unit], distances: Sequence[int | None], now: int, profile: Profile) -> list[float]:
    """The relevance of every unit; `distances` are edges from what the question is about."""
    return [
        sum(relevance(unit, now, profile, distance).values()) for unit, distance in zip(units, distances, strict=True)
    ]
