"""Answers: between people a turn that answers is as sure a match as the question before it, whose words it omits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from noosphere.recall.asking import asks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.model.hit import Hit


def with_answers(hits: Sequence[Hit], beside: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits, in their order; an answer is sure where its question is, among them or among those `beside` them."""
    sure = {hit.id for hit in (*hits, *beside) if hit.sure}
    return tuple(replace(hit, sure=True) if _answers(hit, sure) else hit for hit in hits)


def _answers(hit: Hit, sure: set[str]) -> bool:
    question = hit.before
    between_people = hit.speaker is not None and hit.speaker_role is None
    return not hit.sure and between_people and question is not None and question.id in sure and asks(question.text)
