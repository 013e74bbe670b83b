"""The lead of the turn before: how far it is ahead by the match alone of a turn that takes up what it said.

Between people the matter is often named in one turn and told in the next, which does not name it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.recall.answer_kinds import among_people

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.recall.pool import Pool

MATCH = ("keyword", "semantic", "interaction")  # the features of the order that are the match


def turns_before(pool: Pool) -> list[int | None]:
    """Where in the pool the turn before each turn is, between people; None where it is not there."""
    at = {unit.frame_uid: number for number, unit in enumerate(pool.units)}
    return [
        None if turn is None or not among_people(unit) else at.get(turn.uid)
        for unit, turn in zip(pool.units, pool.before, strict=True)
    ]


def lead(before: Sequence[int | None], matches: Sequence[float]) -> list[float]:
    """How far the turn before each is ahead of it; 0 where it is behind or not in the pool."""
    return [
        0.0 if turn is None else max(matches[turn] - match, 0.0) for turn, match in zip(before, matches, strict=True)
    ]
