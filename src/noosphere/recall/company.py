"""The company of a turn: how well other turns of its session did for the same question.

A session that was about what is asked brings several turns among the best; a turn that shares only words stands alone.
"""

from __future__ import annotations

from collections import defaultdict
from math import sqrt
from typing import TYPE_CHECKING

from noosphere.model.vocabulary import NodeClass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.model.unit import Unit

LOOKED_AT = 50  # of the order before company counts
EVENED = 5  # added to a place: the first few weigh nearly the same


def company(units: Sequence[Unit], totals: Sequence[float]) -> list[float]:
    """The places of the other turns of each unit's session among the best, summed up; 0 for what is no turn."""
    best = sorted(range(len(units)), key=lambda n: (-totals[n], units[n].frame_uid))[:LOOKED_AT]
    own = [0.0] * len(units)
    whole: dict[tuple[int, bytes], float] = defaultdict(float)
    for place, n in enumerate(best):
        if units[n].node_class is NodeClass.CONVERSATION:
            own[n] = 1 / sqrt(place + EVENED)
            whole[_session(units[n])] += own[n]
    return [
        whole.get(_session(unit), 0.0) - mine if unit.node_class is NodeClass.CONVERSATION else 0.0
        for unit, mine in zip(units, own, strict=True)
    ]


def _session(unit: Unit) -> tuple[int, bytes]:
    return unit.node, unit.session_uid
