"""What "here" means: the place that a text greets or has just reached."""

from datetime import UTC, datetime

import pytest

from noosphere.graph.facts import found_slots

SAID = datetime(2025, 3, 15, tzinfo=UTC)


def homes(text):
    return {(f.subject, f.value) for f in found_slots(text, said_at=SAID) if f.attribute == "home_city"}


@pytest.mark.parametrize(
    ("text", "subject", "place"),
    [
        ("Goodbye Hokkaido, hello Nagoya! I moved here yesterday.", "user", "Nagoya"),
        ("Bye Leeds, hello again York. I'm settled here for good.", "user", "York"),
        ("Greetings from Porto! We live here now.", "user", "Porto"),
        ("Landed in Oslo at last. My cousin lives here now.", "cousin", "Oslo"),
        ("Welcome to Bern! I live here.", "user", "Bern"),
    ],
)
def test_here_is_the_place_that_was_greeted(text, subject, place):
    assert (subject, place) in homes(text)


@pytest.mark.parametrize(
    "text",
    [
        "Hello Anna! I moved here in May.",
        "I moved here in May.",
        "Goodbye Slack, hello Teams!",
        "Greetings from Porto! The fish here is great.",
        "Landed in Oslo. I have never lived here.",
    ],
)
def test_here_without_a_place_to_mean_is_nowhere(text):
    assert not homes(text)
