"""Times that texts name: what a question asks for, when a text happened, what the words do not decide, any text."""

from datetime import UTC, date, datetime
from itertools import pairwise
from time import process_time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere.clock import micros
from noosphere.model.when import FIRST, FOREVER, Grain, read_time, show
from noosphere.model.when.naming import occurred, periods
from noosphere.model.when.times import find_times, without

BERLIN = ZoneInfo("Europe/Berlin")
NOW = micros(datetime(2024, 5, 15, 12, tzinfo=UTC))


def asked(question, zone=UTC, now=NOW):
    (found,) = periods(question, now, zone)
    return found


def test_a_period_holds_the_days_its_words_mean_in_the_zone():
    found = asked("what did we decide last week?", BERLIN)
    assert (found.start, found.end) == (
        micros(datetime(2024, 5, 6, tzinfo=BERLIN)),
        micros(datetime(2024, 5, 13, tzinfo=BERLIN)),
    )
    assert found.words == "last week"


def test_yesterday_is_the_day_before_in_the_zone_and_not_in_utc():
    late = micros(datetime(2024, 5, 15, 23, 30, tzinfo=UTC))
    assert asked("yesterday", BERLIN, late).start == read_time("2024-05-15", "day", BERLIN).start


def test_an_open_period_reaches_the_end_of_time():
    assert asked("what changed since May 2021?").end == FOREVER
    assert asked("what happened before 2020?").start == FIRST


def test_words_that_bound_the_answer_ask_and_a_mention_does_not():
    assert asked("what happened between March and May 2023?").asks
    assert asked("what did we buy in 2019?").asks
    assert not asked("how did the 2024-03-01 release go?").asks


def test_a_month_without_a_year_is_the_latest_one_and_says_so():
    found = asked("our trip in June")
    assert (found.start, found.month, found.settled) == (read_time("2023-06", "month").start, 6, False)


def test_a_question_of_the_future_looks_ahead():
    assert asked("what will we do in June?").start == read_time("2024-06", "month").start


def test_periods_come_in_the_order_of_the_question():
    assert [p.words for p in periods("was it in 2019 or last week?", NOW, UTC)] == ["2019", "last week"]


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("We moved house yesterday.", "2024-05-14"),
        ("I broke my leg in March 2019", "2019-03"),
        ("She graduated in the spring of 2018.", "2018"),
        ("The release of 2023-11-02 went fine", "2023-11-02"),
        ("We met last week", "2024-W19"),
        ("I like tea", None),
        ("We may march in a second", None),
        ("In 2019 I left and in 2021 I came back", None),
        ("since 2019 I live here", None),
    ],
)
def test_a_text_says_when_it_happened_as_exactly_as_its_words_and_no_more(text, when):
    found = occurred(text, NOW, UTC)
    assert (None if found is None else show(found)) == when


@pytest.mark.parametrize(
    "text",
    [
        "Did we move yesterday?",
        "We meet on Friday",
        "Ann was there. Was it last week?",
        "We moved yesterday. " + "The lamp is green. " * 60,
    ],
)
def test_a_question_an_open_time_and_a_long_text_do_not_say_when(text):
    assert occurred(text, NOW, UTC) is None


def test_words_that_mean_another_day_tomorrow_do_not_count_where_only_absolute_ones_do():
    assert occurred("We moved yesterday", NOW, UTC, absolute=True) is None
    assert show(occurred("We moved on 3 May 2024", NOW, UTC, absolute=True)) == "2024-05-03"


@pytest.mark.soak
def test_a_text_without_a_word_of_time_costs_thirty_microseconds_at_most():
    text = "The Postgres migration uses logical replication, and the gateway keeps a queue for failed requests."
    occurred(text, NOW, UTC)

    def seconds():
        begun = process_time()
        for _ in range(2000):
            occurred(text, NOW, UTC)
        return process_time() - begun

    assert min(seconds() for _ in range(5)) / 2000 < 30e-6


def test_a_day_stays_a_day():
    assert occurred("on 3 May 2024 we met", NOW, BERLIN).grain is Grain.DAY


def test_a_question_without_its_times_keeps_its_topic():
    question = "what did we decide about the roof in May 2023?"
    found = find_times(question, datetime(2024, 5, 15, tzinfo=UTC))
    assert without(question, found) == "what did we decide about the roof?"


def test_later_counts_from_an_anchor_only():
    now = datetime(2024, 5, 15, tzinfo=UTC)
    assert find_times("two days later we left", now) == ()
    (found,) = find_times("two days later we left", now, anchor=date(2024, 5, 1))
    assert found.first == date(2024, 5, 3)


PIECES = st.sampled_from(
    [
        "may march",
        "in",
        "may",
        "march",
        "second",
        "sun",
        "first",
        "last",
        "next",
        "week",
        "of",
        "the",
        "in",
        "on",
        "3",
        "31",
        "2024",
        "5/12",
        "2024-02-30",
        "monday",
        "to",
        "-",
        ",",
        ".",
        "from",
        "between",
        "and",
        "until",
        "before",
        "after",
        "end",
        "early",
        "two",
        "months",
        "ago",
        "half",
        "a",
        "few",
        "days",
        "later",
        "christmas",
        "every",
        "q3",
        "'99",
        "now",
        "0",
        "9999",
        "0001",
        "12:30",
        "pm",
    ]
)


@given(st.lists(PIECES, max_size=40).map(" ".join), st.dates(date(1, 1, 1), date(9999, 12, 31)))
def test_times_lie_in_the_text_in_order_and_never_overlap_on_any_day(text, today):
    found = find_times(text, datetime(today.year, today.month, today.day, tzinfo=UTC))
    assert all(t.start < t.end <= len(text) for t in found)
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert all(t.first is None or t.after is None or t.first < t.after for t in found)


@given(st.text(max_size=200))
def test_any_text_at_all_can_be_read(text):
    find_times(text, datetime(2024, 5, 15, tzinfo=UTC))


@pytest.mark.soak
@given(st.lists(PIECES, min_size=1, max_size=6).map(" ".join))
def test_reading_takes_time_in_proportion_to_the_text(piece):
    now = datetime(2024, 5, 15, tzinfo=UTC)

    def seconds(repeats):
        text = (piece + " ") * repeats
        begun = process_time()
        find_times(text[:18_000], now)
        return process_time() - begun

    seconds(10)
    short, long = min(seconds(100) for _ in range(3)), seconds(800)
    assert long < 8 * short * 4 + 0.2
