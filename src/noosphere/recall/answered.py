"""Answers: between people a turn that answers is as sure a match as the question before it, whose words it omits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.recall.asking import asks

if TYPE_CHECKING:
    from noosphere.recall.pool import Pool


def question_of(at: int, pool: Pool) -> int | None:
    """Where in the pool the question stands that a candidate answers, as far as it is one that answers a question."""
    unit, question = pool.units[at], pool.before[at]
    between_people = unit.speaker is not None and unit.speaker_role is None
    if not between_people or question is None or not asks(question.text):
        return None
    return next((n for n, other in enumerate(pool.units) if other.id == question.uid), None)
