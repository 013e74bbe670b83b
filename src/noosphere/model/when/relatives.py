"""Makers of relative times: yesterday, last week, two months ago, in three weeks, the last five days."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from noosphere.model.when.caught import spelled
from noosphere.model.when.reading import Reading
from noosphere.model.when.stretch import Stretch, Unfit, around, day, shift

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from noosphere.model.when.caught import Caught
    from noosphere.model.when.reading import Standpoint
    from noosphere.model.when.token import Token

HALF = {
    "year": ("month", 6),
    "month": ("week", 2),
    "week": ("day", 3),
    "decade": ("year", 5),
    "day": ("hour", 12),
    "hour": ("minute", 30),
}
OF_A_DAY = ("hour", "minute", "second")
SECONDS = {"hour": 3600, "minute": 60, "second": 1}
FINENESS = (
    *OF_A_DAY,
    "day",
    "workday",
    "weekend",
    "week",
    "fortnight",
    "month",
    "quarter",
    "season",
    "year",
    "decade",
    "century",
)
CALENDAR_ROLLS = ("quarter", "decade", "century", "weekend", "season")  # "the last two quarters" are whole ones


def near_day(caught: Caught, at: Standpoint) -> Reading:
    """Yesterday, today, tomorrow, and the days beside them."""
    by = caught.options.get("by", 0) + (caught.value("relday") or 0)
    return Reading(day(at.today + timedelta(days=by)), "day")


def near_unit(caught: Caught, at: Standpoint) -> Reading:
    """Last week, this year, the month after next."""
    unit = caught.word("unit")
    if unit in OF_A_DAY:
        raise Unfit
    by = caught.options.get("by")
    relation = caught.word("relation") if by is None else by
    if unit == "weekend" and relation < 0 and at.today.weekday() < 5:  # noqa: PLR2004  (Saturday)
        return Reading(around(shift(at.today, "week", relation), unit), unit)
    return Reading(around(shift(at.today, unit, relation), unit), unit)


def open_unit(caught: Caught, at: Standpoint) -> Reading:
    """The weekend, without which: the last one, or the next one by the lean."""
    unit = caught.word("unit")
    found = around(at.today, unit)
    if at.lean.value != "future" and found.first is not None and found.first > at.today:
        found = around(shift(at.today, unit, -1), unit)
    return Reading(found, unit, settled=False)


def rolling(caught: Caught, at: Standpoint) -> Reading:
    """The last three weeks up to today, the next two months from tomorrow on."""
    unit, relation = caught.word("unit"), caught.word("relation")
    count = counted(caught.tokens("count"))[1] if caught.has("count") else 1
    if unit in OF_A_DAY:
        days = count * SECONDS[unit] // SECONDS["hour"] // 24
        return Reading(
            Stretch(*sorted((at.today + timedelta(days=relation * days), at.today + timedelta(days=1)))), "days"
        )
    if unit in CALENDAR_ROLLS:
        one, other = sorted((relation, relation * count))
        ends = around(shift(at.today, unit, one), unit), around(shift(at.today, unit, other), unit)
        return Reading(Stretch(ends[0].first, ends[1].after), "days")
    tomorrow = at.today + timedelta(days=1)
    if unit == "workday" and relation > 0:
        return Reading(Stretch(tomorrow, shift(at.today, unit, count) + timedelta(days=1)), "days")
    if relation < 0:
        return Reading(Stretch(shift(at.today, unit, -count), tomorrow), "days")
    return Reading(Stretch(tomorrow, shift(tomorrow, unit, count)), "days")


def within(caught: Caught, at: Standpoint) -> Reading:
    """Within five days: from today on."""
    if at.tells_past:
        raise Unfit
    after = at.today
    for count, unit in spans(caught):
        if unit in OF_A_DAY:
            continue
        after = shift(after, unit, count[1])
    return Reading(Stretch(at.today, after + timedelta(days=1)), "days")


def away(caught: Caught, at: Standpoint) -> Reading:
    """Two months ago, in three weeks: the unit counted to, so the month two months before this one."""
    sign = caught.options["sign"]
    if caught.options.get("ambiguous") and _is_length(caught, at):
        raise Unfit
    return replace(_away(spans(caught), sign, at.today), away=True)


def _is_length(caught: Caught, at: Standpoint) -> bool:
    """Whether "in two weeks" is how long it took, and "in a week" any week."""
    by_article = not caught.has("half") and {t.text for t in caught.tokens("count")} <= {"a", "an"}
    return at.tells_past or (by_article and not at.tells_future)


def anchored(caught: Caught, at: Standpoint) -> Reading:
    """Two days later: counted from the anchor, when there is one."""
    if at.anchor is None:
        raise Unfit
    found = spans(caught)
    return _away(found, caught.options["sign"], at.anchor)


def following(caught: Caught, at: Standpoint) -> Reading:
    """The next day, the following week: beside the anchor's, when there is one."""
    if at.anchor is None:
        raise Unfit
    unit = caught.word("unit")
    return Reading(around(shift(at.anchor, unit, caught.options["sign"]), unit), unit)


def _away(found: Sequence[tuple[tuple[int, int], str]], sign: int, start: date) -> Reading:
    if not found:
        raise Unfit
    finest = min((unit for _, unit in found), key=FINENESS.index)
    unit = "day" if finest in OF_A_DAY else finest
    near = around(moved(start, found, sign, 0), unit)
    far = around(moved(start, found, sign, 1), unit)
    first, last = (near, far) if sign > 0 else (far, near)
    return Reading(Stretch(first.first, last.after), unit if near == far else "days")


def moved(start: date, found: Sequence[tuple[tuple[int, int], str]], sign: int, which: int) -> date:
    """A day moved by all spans; `which` takes the least or the most of a vague count."""
    for counts, unit in sorted(found, key=lambda span: -FINENESS.index(span[1])):
        if unit in OF_A_DAY:
            start += timedelta(days=sign * (counts[which] * SECONDS[unit] // 86400))
        else:
            start = shift(start, unit, sign * counts[which])
    return start


def spans(caught: Caught) -> list[tuple[tuple[int, int], str]]:
    """The counts with their units, halves as spans of their own."""
    found: list[tuple[tuple[int, int], str]] = []
    for count, unit in zip(caught.all_of("count"), caught.all_of("unit"), strict=False):
        found.append((counted(count), str(unit[-1].values["unit"])))
    if caught.has("half"):
        unit = str(caught.all_of("unit")[-1][-1].values["unit"])
        if unit not in HALF:
            raise Unfit
        smaller, number = HALF[unit]
        found.append(((number, number), smaller))
    return found


def counted(tokens: Sequence[Token]) -> tuple[int, int]:
    """How many, at least and at most: "a few" is two to four."""
    for token in tokens:
        if "least" in token.values:
            return int(token.values["least"]), int(token.values["most"])
    number = spelled(tokens)
    return number, number
