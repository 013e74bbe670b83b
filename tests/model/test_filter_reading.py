"""Filters as callers write them: singular or plural names, words of the vocabulary, calendar spans."""

from datetime import UTC

import pytest

from noosphere.errors import InvalidInput
from noosphere.model.query import NO_FILTERS, Filters, View, read_filters
from noosphere.model.vocabulary import Kind, NodeClass, Status
from noosphere.model.when import Grain, Span, read_time


def test_nothing_asked_is_no_filter():
    assert read_filters(None, UTC) is NO_FILTERS
    assert read_filters({}, UTC) == NO_FILTERS
    assert read_filters({"tag": None}, UTC).ask_nothing


@pytest.mark.parametrize(
    ("singular", "plural", "value"),
    [
        ("tag", "tags", "work"),
        ("kind", "kinds", "episodic"),
        ("status", "statuses", "draft"),
        ("volatility", "volatilities", "state"),
        ("class", "classes", "memory"),
        ("role", "roles", "fact"),
        ("importance", "importances", "critical"),
        ("source", "sources", "import"),
        ("claim", "claims", "verified"),
        ("speaker", "speakers", "Ann"),
        ("participant", "participants", "Ann"),
    ],
)
def test_one_value_or_several_under_either_name(singular, plural, value):
    asked = read_filters({singular: value}, UTC)
    assert asked == read_filters({plural: [value]}, UTC) == read_filters({singular: (value, value)}, UTC)
    assert not asked.ask_nothing


def test_words_are_read_into_the_vocabulary():
    asked = read_filters({"kind": ["episodic"], "status": "archived", "class": ["memory", "conversation"]}, UTC)
    assert asked == Filters(
        kinds=frozenset({Kind.EPISODIC}),
        statuses=frozenset({Status.ARCHIVED}),
        classes=frozenset({NodeClass.MEMORY, NodeClass.CONVERSATION}),
    )


def test_dates_are_spans():
    asked = read_filters({"since": Span(1, 2, Grain.MOMENT), "until": "2026-05"}, UTC)
    assert asked.since == Span(1, 2, Grain.MOMENT)
    assert asked.until == read_time("2026-05", "until")


def test_filters_that_are_ready_pass_as_they_are():
    ready = Filters(subject="Ann")
    assert read_filters(ready, UTC) is ready


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tagz": "x"}, "Did you mean tag"),
        ({"kind": "episodical"}, "Did you mean episodic"),
        ({"class": "memories"}, "memory"),
        ({"since": "last week"}, "since"),
        ({"since": "2026-05-14T09:00"}, "zone"),
        ({"conversation": 5}, "conversation"),
        ({"session": ""}, "session"),
        ({"subject": ["Ann"]}, "subject"),
        ({"tag": ""}, "tag"),
        (5, "filters"),
        ([("tag", "x")], "filters"),
        ("tag=x", "filters"),
    ],
)
def test_a_filter_that_cannot_be_meant_is_refused(given, message):
    with pytest.raises(InvalidInput, match=message):
        read_filters(given, UTC)


def test_a_view_tests_validity_at_the_moment_it_asks_about():
    assert View(10).at == 10
    assert View(10, as_of=5).at == 5
    assert View(10, known_at=5).at == 5
    assert View(10, known_at=20).at == 10
    assert View(10, as_of=3, known_at=5).at == 3
    assert not View(10).looks_back
    assert all(v.looks_back for v in (View(10, as_of=5), View(10, known_at=5), View(10, include_past=True)))


@pytest.mark.parametrize(("since", "until"), [("2025-03", "2024-01"), ("2025-03-02", "2025-03-01"), ("2025", "2024")])
def test_a_time_that_ends_before_it_begins_is_refused_not_answered_with_nothing(since, until):
    with pytest.raises(InvalidInput, match="until: lies before since"):
        read_filters({"since": since, "until": until}, UTC)
    assert read_filters({"since": until, "until": since}, UTC).until is not None
    assert read_filters({"since": since, "until": since}, UTC).since is not None
