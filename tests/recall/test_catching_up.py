"""A question without a topic is caught up; sections say what is what; important things are always there."""

import pytest

from noosphere import Turn


@pytest.fixture
def busy(mind, clock):
    mind.remember("The key is under the blue pot")
    mind.remember("We chose SQLite for the store", role="decision")
    mind.remember("Never deploy on Fridays", importance="critical")
    mind.remember("The barn was rented to Bo in Graz", role="fact", said_at="2026-02-01")
    mind.remember("The barn was bought in Linz", role="fact", said_at="2025-02-01")
    mind.remember("The roof was repaired", role="event", occurred="2026-04")
    mind.record("chat", [Turn(key="a", speaker="Ann", text="The roof leaks again")])
    return mind


@pytest.mark.parametrize("question", ["catch me up", "Where were we?", "what's next?"])
def test_what_matters_comes_before_what_is_new(busy, question):
    texts = [h.text for h in busy.recall(question).hits]
    assert texts[:2] == ["Never deploy on Fridays", "We chose SQLite for the store"]
    assert texts[2] == "The roof leaks again"


def test_a_brief_is_the_same_without_a_question(busy):
    assert [h.id for h in busy.brief().hits] == [h.id for h in busy.recall("catch me up").hits]


def test_catching_up_keeps_its_budget_and_shows_nothing_forgotten(busy):
    gone = busy.remember("A secret plan", importance="critical")
    busy.forget(gone.id)
    answer = busy.brief(600)
    assert len(answer.text) <= 600
    assert "secret plan" not in answer.text


def test_a_mind_with_nothing_in_it_says_so(mind):
    assert "(nothing relevant was found)" in mind.brief().text


def test_facts_stand_together_by_time_and_events_too(busy):
    text = busy.recall("What about the barn and the roof?").text
    places = [text.index(part) for part in ("Facts, the oldest first:", "Linz", "Graz", "Events in order:", "2026-04")]
    assert places == sorted(places)


def test_important_things_are_shown_but_are_no_hits_of_a_question_they_do_not_match(busy):
    answer = busy.recall("zxcvb qwerty")
    assert answer.hits == ()
    assert "(nothing relevant was found)" in answer.text
    assert "Never deploy on Fridays" in answer.text


def test_a_turn_is_shown_with_those_around_it(mind):
    said = ["Where is the ladder?", "In the barn, behind the tractor.", "Thanks a lot!"]
    mind.record("chat", [Turn(key=str(n), speaker="AB"[n % 2], text=text) for n, text in enumerate(said)])
    answer = mind.recall("barn tractor", k=1)
    assert (answer.hits[0].before.text, answer.hits[0].after.text) == (said[0], said[2])
    assert "before, A: Where is the ladder?" in answer.text
    assert "after, A: Thanks a lot!" in answer.text
