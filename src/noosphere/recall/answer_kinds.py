"""What kind of answer a question wants, and which units hold one: a name, a time or a number.

Measured between people only: there an answer is short and says the thing itself. Beside an assistant, whose long turns
hold names and numbers anyway, it tells nothing.
"""

from __future__ import annotations

import re
from math import log
from typing import TYPE_CHECKING, Literal

from noosphere.recall.cues import says

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from noosphere.model.unit import Unit
    from noosphere.recall.plan import Plan

READ = 1500  # characters of a unit
NOT_NAMES = frozenset(
    {
        *("I", "OK", "TV"),
        *("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        *("January", "February", "March", "April", "May", "June"),
        *("July", "August", "September", "October", "November", "December"),
    }
)
_NAME = re.compile(r"(?<=[a-zà-ÿ,;’'] )[A-ZÀ-Þ]\w+|[\"“«][A-ZÀ-Þ][^\"”»]{2,60}[\"”»]")


def names(plan: Plan, units: Sequence[Unit]) -> list[float]:
    """How many names each unit holds that the question does not, on a log scale; 0 when it asks for none."""
    if not says("asks_name", plan.query):
        return [0.0] * len(units)
    known = {word.casefold() for word in re.findall(r"\w+", plan.query)}
    known |= {name.split()[0].casefold() for unit in units if (name := unit.speaker or "").strip()}
    return [log(1 + count_names(unit.text[:READ], known)) if among_people(unit) else 0.0 for unit in units]


def told(plan: Plan, units: Sequence[Unit], what: Literal["time", "number"]) -> list[float]:
    """Whether each unit names a time, or a number; 0 when the question asks for none."""
    asks, tells = ("asks_time", "tells_time") if what == "time" else ("asks_number", "tells_number")
    if not says(asks, plan.query):
        return [0.0] * len(units)
    return [float(among_people(unit) and says(tells, unit.text[:READ])) for unit in units]


def count_names(text: str, known: Collection[str] = ()) -> int:
    """How many different names stand inside the sentences of a text: capitals where none is due, or quoted titles."""
    return len({name for name in _NAME.findall(text) if name not in NOT_NAMES and name.casefold() not in known})


def among_people(unit: Unit) -> bool:
    """Whether a unit was said between people, not between a user and an assistant."""
    return unit.speaker is not None and unit.speaker_role is None
