"""Dates as callers give them: spans of the calendar in the mind's zone, moments with a zone, refusals with a remedy."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere.clock import EPOCH, micros, moment
from noosphere.errors import InvalidInput
from noosphere.model.when import FOREVER, Grain, Span, day_of, iso, read_time, read_zone, show

BERLIN = ZoneInfo("Europe/Berlin")


def at(*parts, zone=UTC):
    return micros(datetime(*parts, tzinfo=zone))


@pytest.mark.parametrize(
    ("text", "start", "end", "grain"),
    [
        ("2026", at(2026, 1, 1), at(2027, 1, 1), Grain.YEAR),
        ("2026-05", at(2026, 5, 1), at(2026, 6, 1), Grain.MONTH),
        ("2026-12", at(2026, 12, 1), at(2027, 1, 1), Grain.MONTH),
        ("2026-05-14", at(2026, 5, 14), at(2026, 5, 15), Grain.DAY),
        ("2024-02-29", at(2024, 2, 29), at(2024, 3, 1), Grain.DAY),
        ("2026-Q1", at(2026, 1, 1), at(2026, 4, 1), Grain.QUARTER),
        ("2026-Q4", at(2026, 10, 1), at(2027, 1, 1), Grain.QUARTER),
        ("2026-W20", at(2026, 5, 11), at(2026, 5, 18), Grain.WEEK),
        ("2026-W01", at(2025, 12, 29), at(2026, 1, 5), Grain.WEEK),
        (" 2026-05-14 ", at(2026, 5, 14), at(2026, 5, 15), Grain.DAY),
    ],
)
def test_a_date_is_a_span_of_the_calendar(text, start, end, grain):
    assert read_time(text, "when") == Span(start, end, grain)


@pytest.mark.parametrize(
    "value",
    [
        "2026-05-14T09:00:00Z",
        "2026-05-14T11:00:00+02:00",
        datetime(2026, 5, 14, 9, tzinfo=UTC),
        datetime(2026, 5, 14, 11, tzinfo=BERLIN),
    ],
)
def test_a_time_of_day_with_its_zone_is_one_moment(value):
    assert read_time(value, "when") == Span(at(2026, 5, 14, 9), at(2026, 5, 14, 9) + 1, Grain.MOMENT)


def test_a_date_object_is_a_day_like_its_text():
    assert read_time(date(2026, 5, 14), "when", BERLIN) == read_time("2026-05-14", "when", BERLIN)


def test_a_day_begins_and_ends_at_midnight_of_the_minds_zone():
    assert read_time("2026-05-14", "when", BERLIN) == Span(at(2026, 5, 13, 22), at(2026, 5, 14, 22), Grain.DAY)


@pytest.mark.parametrize(("text", "hours"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-05-14", 24)])
def test_a_day_has_the_hours_that_its_zone_gives_it(text, hours):
    span = read_time(text, "when", BERLIN)
    assert span.end - span.start == hours * 3600 * 1_000_000


def test_nothing_given_is_nothing_read():
    assert read_time(None, "when") is None


@pytest.mark.parametrize(
    "value",
    ["2026-05-14T09:00:00", "2026-05-14 09:00", datetime(2026, 5, 14, 9)],  # noqa: DTZ001  (what is refused)
)
def test_a_time_of_day_without_a_zone_is_refused(value):
    with pytest.raises(InvalidInput, match=r"when: .* has no time zone\. Add one"):
        read_time(value, "when")


@pytest.mark.parametrize(
    "value",
    [
        "yesterday", "", "May 2026", "2026-13", "2026-02-30", "2026-Q5", "2026-W54", "26", "14.05.2026", "2026-5-14",
        "0000", "9999", "9999-12-31", "2026-W00", "99999", 2026, 5.0, True, b"2026", [], ("2026",),
    ],
)  # fmt: skip
def test_what_is_no_time_is_refused_with_the_forms_that_are(value):
    with pytest.raises(InvalidInput, match="2026-Q2") as refused:
        read_time(value, "valid_from")
    assert refused.value.field == "valid_from"


@given(st.text(max_size=30))
def test_any_text_is_a_time_or_an_error_of_ours(text):
    try:
        span = read_time(text, "when")
    except InvalidInput:
        return
    assert span.start < span.end


@given(
    st.datetimes(
        datetime(1, 1, 3),  # noqa: DTZ001
        datetime(9999, 12, 30),  # noqa: DTZ001
        timezones=st.sampled_from([UTC, BERLIN, ZoneInfo("Asia/Kathmandu")]),
    )
)
def test_a_moment_is_kept_to_the_microsecond(value):
    span = read_time(value, "when")
    assert moment(span.start) == value.astimezone(UTC)
    assert span.last == span.start


@given(st.dates(date(1, 1, 3), date(9999, 12, 29)), st.sampled_from([UTC, BERLIN, timezone(timedelta(hours=-11))]))
def test_the_days_of_the_calendar_leave_no_gap(day, zone):
    one = read_time(day, "when", zone)
    assert one.end == read_time(day + timedelta(days=1), "when", zone).start
    assert day_of(one.start, zone) == day.isoformat() == day_of(one.last, zone)


@pytest.mark.parametrize("zone", [UTC, BERLIN, timezone(timedelta(hours=-12))])
@pytest.mark.parametrize(
    "value",
    [
        date(1, 1, 1),
        date(9999, 12, 31),
        datetime(1, 1, 1, tzinfo=BERLIN),
        datetime(9999, 12, 31, 23, tzinfo=UTC),
        "0001",
    ],
)
def test_the_ends_of_the_calendar_are_refused_since_no_zone_could_show_them(value, zone):
    with pytest.raises(InvalidInput, match="calendar"):
        read_time(value, "when", zone)


@pytest.mark.parametrize(
    "text",
    [
        "0987",
        "0987-05",
        "0987-05-14",
        "0987-Q2",
        "0987-W20",
        "2026",
        "2026-05",
        "2026-05-14",
        "2026-Q2",
        "2026-W20",
        "2026-W01",
        "2024-02-29",
        "2026-05-14T09:00:00Z",
    ],
)
@pytest.mark.parametrize("zone", [UTC, BERLIN, ZoneInfo("Pacific/Auckland")])
def test_a_time_is_shown_no_more_exactly_than_it_is_known(text, zone):
    span = read_time(text, "when", zone)
    shown = show(span, zone)
    assert read_time(shown, "when", zone) == span
    if span.grain is not Grain.MOMENT:
        assert shown == text


def test_the_open_end_is_shown_as_nothing():
    assert iso(FOREVER) is None
    assert iso(None) is None
    assert iso(micros(EPOCH)) == "1970-01-01T00:00:00Z"
    assert iso(at(2026, 5, 14, 9), BERLIN) == "2026-05-14T11:00:00+02:00"


@pytest.mark.parametrize("name", ["UTC", "Europe/Berlin", "Asia/Tokyo"])
def test_a_zone_is_found_by_its_name(name):
    assert read_zone(name).utcoffset(datetime(2026, 5, 14)) is not None  # noqa: DTZ001


@pytest.mark.parametrize("name", ["Middle/Earth", "", "../../etc/passwd", "/etc/localtime", "x\0y", "Europe/Berlin\n"])
def test_no_other_name_is_a_zone(name):
    with pytest.raises(InvalidInput, match="Europe/Berlin"):
        read_zone(name)
