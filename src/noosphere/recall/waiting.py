"""Waiting: a value that does not hold yet stands behind the one of its slot that does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.model.slot import normal
from noosphere.model.trace import Waiting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.model.hit import Hit
    from noosphere.model.trace import Step
    from noosphere.recall.later import Found


def waiting_last(found: Sequence[Found], steps: list[Step]) -> list[Found]:
    """Put a value that does not hold yet behind the one of its slot that does, unless it was asked for by its words."""
    order, moved = list(found), list[str]()
    for item in found:
        if item[1].begins is not None:
            held = [at for at, (_, hit) in enumerate(order) if _holds_instead(hit, item[1])]
            if held and held[-1] > order.index(item):
                order.insert(held[-1], order.pop(order.index(item)))
                moved.append(item[1].id)
    if moved:
        steps.append(Waiting(tuple(moved)))
    return order


def _holds_instead(hit: Hit, waiting: Hit) -> bool:
    """Whether a hit is what holds in the slot of one that waits, and has as many words of the question."""
    same = hit.attribute == waiting.attribute and normal(hit.subject or "") == normal(waiting.subject or "")
    return same and hit.begins is None and len(hit.terms) >= len(waiting.terms)
