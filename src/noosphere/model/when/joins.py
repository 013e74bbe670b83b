"""Makers of ranges: from … to, between … and, since, before, after, until."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING

from noosphere.model.when.points import MONTHS, month_reading, monthless, year_reading
from noosphere.model.when.reading import Reading, dated, nearest
from noosphere.model.when.relatives import moved, spans
from noosphere.model.when.stretch import Stretch, Unfit, day, months

if TYPE_CHECKING:
    from noosphere.model.when.caught import Caught
    from noosphere.model.when.reading import Standpoint


def between(caught: Caught, at: Standpoint) -> Reading:
    """From one time to another, the last unit of the second one included."""
    one, two = _side(caught, "one", at), _side(caught, "two", at)
    if one.weekday is not None and two.weekday is not None and not caught.options.get("bare"):
        raise Unfit
    return _between(one, two, at)


def digits_to(caught: Caught, at: Standpoint) -> Reading:
    """5/1-5/7, 10/1-11/2/2017: days in digits on both sides of a dash, the year of either for both."""
    month_first = [(caught.number(f"{side}1"), caught.number(f"{side}2")) for side in ("a", "b")]
    if at.day_first or any(one > MONTHS for one, _ in month_first):
        month_first = [(two, one) for one, two in month_first]
    years = [caught.year("ay"), caught.year("by")]
    one, two = (
        dated(partial(_on, month=m, number=n), "day", at, year=y or years[1] or years[0], month=m)
        for (m, n), y in zip(month_first, years, strict=True)
    )
    return _between(one, two, at)


def years_months_to(caught: Caught, at: Standpoint) -> Reading:
    """Dec/2018-May/2019: months of years on both sides of a dash."""
    one, two = (
        dated(partial(months, month=caught.word(side, "month")), "month", at, year=caught.year(f"{side}y"), month=None)
        for side in ("a", "b")
    )
    return _between(one, two, at)


def _on(year: int, month: int, number: int) -> Stretch:
    return day(date(year, month, number))


def _between(one: Reading, two: Reading, at: Standpoint) -> Reading:
    if two.weekday is not None:
        return _joined(one, day(one.first + timedelta(days=(two.weekday - one.first.weekday() - 1) % 7 + 1)))
    if one.turns is not None and two.turns is not None:
        return _yearless(one, two, at)
    if one.turns is not None and two.unit == "year":
        raise Unfit
    if one.turns is not None:
        found = one.turns(two.first.year)
        later = found.ends[0] >= two.after
        return _joined(replace(one, stretch=one.turns(two.first.year - 1) if later else found), two.stretch, two)
    if two.turns is not None:
        found = two.turns(one.first.year)
        earlier = found.ends[1] <= one.first
        return _joined(one, two.turns(one.first.year + 1) if earlier else found, one)
    return _joined(one, two.stretch, two if one.absolute else one)


def _side(caught: Caught, label: str, at: Standpoint) -> Reading:
    for token in caught.tokens(label):
        if token.reading is not None:
            return token.reading
    if caught.value(label, "now") is not None:
        return Reading(day(at.today), "day")
    name = caught.value(label, "month")
    if name is not None:
        return month_reading(name, at)
    year = caught.year(label)
    if year is None:
        raise Unfit
    return year_reading(year)


def _joined(one: Reading, end: Stretch, like: Reading | None = None) -> Reading:
    if end.after is None:
        raise Unfit
    try:
        stretch = Stretch(one.first, end.after)
    except ValueError:
        raise Unfit from None
    absolute = like is not None and like.absolute
    return Reading(stretch, "days", settled=absolute or one.settled, absolute=absolute)


def _yearless(one: Reading, two: Reading, at: Standpoint) -> Reading:
    def make(year: int) -> Stretch:
        if one.turns is None or two.turns is None:
            raise Unfit
        first, end = one.turns(year).ends[0], two.turns(year).ends[1]
        return Stretch(first, end if end > first else two.turns(year + 1).ends[1])

    return Reading(nearest(make, at), "days", turns=make, settled=False)


def months_to(caught: Caught, at: Standpoint) -> Reading:
    """May to March, Nov-Feb 2017: names of months."""
    names = [int(t.values["month"]) for group in caught.all_of("month") for t in group]
    found = [month_reading(m, at) for m in names]
    if caught.has("two"):
        found.append(caught.reading("two"))
    return _between(found[0], found[1], at)


def length_from(caught: Caught, _at: Standpoint) -> Reading:
    """For three days from 5 May."""
    start = caught.reading("T")
    after = moved(start.first, spans(caught), 1, 1)
    return replace(start, stretch=Stretch(start.first, after), unit="days", turns=None)


def days_to(caught: Caught, at: Standpoint) -> Reading:
    """From 4 to 22 January: a number of a day, and a day whose month and year it shares."""
    end = caught.reading("T")
    number = caught.number("day")
    if end.unit != "day":
        raise Unfit
    return _nearest(end.reshaped(lambda of: Stretch(of.ends[0].replace(day=number), of.after), "days"), at)


def to_day(caught: Caught, at: Standpoint) -> Reading:
    """November 19-20: a day, and a number of a day in its month or the next."""
    start, number = caught.reading("T"), caught.number("day")
    if start.unit != "day":
        raise Unfit
    year = caught.year()
    if year is not None and start.turns is not None:
        start = replace(start, stretch=start.turns(year), turns=None, settled=True, absolute=True, year=year)

    def make(of: Stretch) -> Stretch:
        return Stretch(of.first, _day_after(of.ends[0], number) + timedelta(days=1))

    return _nearest(start.reshaped(make, "days"), at)


def _nearest(found: Reading, at: Standpoint) -> Reading:
    """Of a range without a year, the nearest as a whole."""
    return found if found.turns is None else replace(found, stretch=nearest(found.turns, at))


def _day_after(first: date, number: int) -> date:
    """The next day of this number after a day."""
    if number > first.day:
        return first.replace(day=number)
    following = first.replace(day=28) + timedelta(days=4)
    return following.replace(day=number)


def days_in(caught: Caught, _at: Standpoint) -> Reading:
    """The 4th to the 22nd of this month."""
    whole = caught.reading("T")
    if whole.unit != "month":
        raise Unfit
    one, two = caught.number("one"), caught.number("two")

    def make(of: Stretch) -> Stretch:
        first, _ = of.ends
        return Stretch(first.replace(day=one), first.replace(day=two) + timedelta(days=1))

    return whole.reshaped(make, "days")


def days_of_month(caught: Caught, at: Standpoint) -> Reading:
    """Between the 21st and the 23rd, of a month that is not named."""
    one, two = caught.number("one"), caught.number("two")
    first = monthless(one, at)
    return Reading(Stretch(first, _day_after(first, two) + timedelta(days=1)), "days", settled=False)


def weekdays_in(caught: Caught, _at: Standpoint) -> Reading:
    """Next week from Tuesday to Thursday."""
    week = caught.reading("T")
    one, two = caught.reading("one").weekday, caught.reading("two").weekday
    if one is None or two is None or week.unit != "week":
        raise Unfit
    stretch = Stretch(week.first + timedelta(days=one), week.first + timedelta(days=two + 1))
    return replace(week, stretch=stretch, unit="days")


def since(caught: Caught, _at: Standpoint) -> Reading:
    """From the first day of something on."""
    return _bound(caught, "since")


def after(caught: Caught, _at: Standpoint) -> Reading:
    """From the end of something on."""
    return _bound(caught, "after")


def before(caught: Caught, _at: Standpoint) -> Reading:
    """Up to the beginning of something."""
    return _bound(caught, "before")


def until(caught: Caught, _at: Standpoint) -> Reading:
    """Up to the end of something."""
    return _bound(caught, "until")


def _bound(caught: Caught, side: str) -> Reading:
    if caught.has("T"):
        whole = caught.reading("T")
    else:
        year = caught.year("year")
        if year is None:
            raise Unfit
        whole = year_reading(year)
    bounds = {
        "since": Stretch(whole.first, None),
        "after": Stretch(whole.after, None),
        "before": Stretch(None, whole.first),
        "until": Stretch(None, whole.after),
    }
    return Reading(
        bounds[side], "days", year=whole.year, month=whole.month, settled=whole.settled, absolute=whole.absolute
    )
