"""The makers that patterns name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.model.when import joins, parts, points, relatives

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from noosphere.model.when.caught import Caught
    from noosphere.model.when.reading import Reading, Standpoint

MAKERS: Mapping[str, Callable[[Caught, Standpoint], Reading | None]] = {
    "nothing": points.nothing,
    "clock": points.nothing,
    "date": points.calendar_date,
    "numeric": points.numeric_date,
    "compact": points.compact_date,
    "month": points.month,
    "season": points.season_of_year,
    "quarter": points.quarter,
    "week": points.week,
    "holiday": points.holiday,
    "holiday weekend": points.holiday_weekend,
    "year": points.year,
    "decade": points.decade,
    "century": points.century,
    "weekday": points.weekday,
    "coming weekday": points.coming_weekday,
    "weekdays ago": points.weekdays_ago,
    "weekday of month": points.weekday_of_month,
    "day of month": points.day_of_month,
    "near day": relatives.near_day,
    "near unit": relatives.near_unit,
    "open unit": relatives.open_unit,
    "rolling": relatives.rolling,
    "within": relatives.within,
    "away": relatives.away,
    "seasons ago": points.seasons_ago,
    "anchored": relatives.anchored,
    "following": relatives.following,
    "part": parts.part,
    "part of unit": parts.part_of_unit,
    "rest": parts.rest,
    "end of unit": parts.end_of_unit,
    "day of this": parts.day_of_this,
    "nth unit": parts.nth_unit,
    "nth weekday": parts.nth_weekday_of,
    "unit around": parts.unit_around,
    "weekday in": parts.weekday_in,
    "day in": parts.day_in,
    "in year": parts.in_year,
    "step": parts.step,
    "beside": parts.beside,
    "between": joins.between,
    "months to": joins.months_to,
    "length from": joins.length_from,
    "days to": joins.days_to,
    "digits to": joins.digits_to,
    "to day": joins.to_day,
    "years months to": joins.years_months_to,
    "days in": joins.days_in,
    "days of month": joins.days_of_month,
    "weekdays in": joins.weekdays_in,
    "since": joins.since,
    "after": joins.after,
    "before": joins.before,
    "until": joins.until,
}
