"""A day without its year lies ahead in what is so on it, and behind in what happened."""

from datetime import UTC, date, datetime

import pytest

from noosphere.graph.facts.when import without_times

SAID = datetime(2024, 6, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "the shop is closed on 4 March",
        "the beta is ready on 4 March",
        "I fly to Busan on 4 March",
        "the trial is adjourned until 4 March",
        "the demo is confirmed for 4 March",
        "my last day is 4 March",
    ],
)
def test_what_is_so_on_a_day_lies_ahead(text):
    ((time,), _) = without_times(text, SAID)
    assert (time.first or time.after).year == 2025


@pytest.mark.parametrize(
    "text",
    [
        "we closed the shop on 4 March",
        "the server was fixed on 4 March",
        "the office has been in Porto since 4 March",
        "Ann joined Acme on 4 March",
        "I quit smoking on 4 March",
    ],
)
def test_what_happened_on_a_day_lies_behind(text):
    ((time,), _) = without_times(text, SAID)
    assert time.first == date(2024, 3, 4)


def test_what_something_is_valid_to_is_its_end():
    ((time,), _) = without_times("my visa is F-1, valid to 2026", SAID)
    assert (time.first, time.after) == (None, date(2027, 1, 1))
