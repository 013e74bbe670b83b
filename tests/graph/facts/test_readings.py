"""Readings: what is said of one thing, told alike however it is said, and overtaken by another value."""

import pytest

from noosphere.graph.facts.readings import new_readings, readings_data, said_of, tells_another_value

TELLING = readings_data()["telling"]


def is_over(old, new):
    return any(tells_another_value(reading, old) for reading in new_readings(new))


@pytest.mark.parametrize(("old", "new"), TELLING["yes"])
def test_news_of_a_thing_overtakes_what_was_said_of_it_in_other_words(old, new):
    assert is_over(old, new)


@pytest.mark.parametrize(("old", "new"), TELLING["no"])
def test_what_is_said_of_something_else_or_of_another_kind_stays(old, new):
    assert not is_over(old, new)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We host the docs on Netlify", "The docs are hosted on Netlify"),
        ("We keep the ladder in the shed", "The ladder is in the shed"),
        ("Dana reviews the patches", "The patches are reviewed by Dana"),
        ("The pin of the card is 4410", "The card's pin is 4410"),
        ("The parade is at 10:30", "The parade starts at 10:30"),
    ],
)
def test_two_ways_to_say_a_thing_are_one_reading(one, other):
    assert [(said.about, said.how, said.value) for said in said_of(one)] == [
        (said.about, said.how, said.value) for said in said_of(other)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "We could host the docs on Netlify now",
        "Do we host the docs on Netlify now?",
        "We hosted the docs on Netlify back then",
        "Kim says the docs are hosted on Netlify now",
        "The docs are not hosted on Netlify now",
        "He keeps his ladder in the shed now",
    ],
)
def test_what_is_asked_wished_denied_reported_or_past_tells_no_news(text):
    assert not list(new_readings(text))
