"""What is said in other words is shown once, by the best of them; what differs in anything is shown for itself."""

import pytest

from noosphere import Turn
from noosphere.model.trace import ShownOnce
from noosphere.testing.minds import scratch_mind

FACTS = (
    ("The office wifi password is on the whiteboard", "On the whiteboard is the wifi password of the office",
     "You find the office wifi password on the whiteboard",
     "The wifi password of the office is written on the whiteboard"),
    ("The deploy runs every Tuesday at 9", "Every Tuesday at 9 the deploy runs", "We deploy each Tuesday at 9",
     "Deployments happen on Tuesdays at 9"),
    ("The billing database is PostgreSQL", "We use PostgreSQL for the billing database",
     "Our billing database runs on PostgreSQL", "PostgreSQL is the billing database"),
    ("Maya is allergic to peanuts", "Maya has a peanut allergy", "Maya is allergic to peanut",
     "Maya has an allergy to peanuts"),
    ("The spare keys are in drawer 4", "In drawer 4 are the spare keys", "You find the spare keys in drawer 4",
     "The spare keys lie in drawer 4"),
    ("My favourite tea is oolong", "Oolong is my favourite tea", "The tea I like best is oolong",
     "My favorite tea is oolong"),
    ("The staging database runs on db-2", "Our staging DB is hosted on db-2", "The staging db is on db-2",
     "db-2 is where the staging database runs"),
    ("Nina is married to Paul", "Paul is married to Nina", "Paul is Nina's husband", "Nina's husband is Paul"),
    ("My cat is called Miso", "I have a cat named Miso", "Miso is my cat", "My cat's name is Miso"),
    ("My sister is called Eva", "I have a sister named Eva", "Eva is my sister", "My sister's name is Eva"),
)  # fmt: skip


@pytest.fixture(params=["off", "static", "encoder"])
def minded(request, tmp_path):
    with scratch_mind(tmp_path, semantic=request.param) as mind:
        yield mind


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact[0])
def test_a_fact_said_three_times_and_in_three_other_ways_is_shown_once(minded, fact):
    first = minded.remember(fact[0])
    again = [minded.remember(fact[0]) for _ in range(2)]
    others = [minded.remember(text) for text in fact[1:]]
    minded.flush()
    assert {one.id for one in again} == {first.id}
    assert minded.get(first.id).evidence_count == 3 + sum(one.id == first.id for one in others)
    known = {minded.get(one.id).id for one in (first, *others)}
    for question in fact:
        answer = minded.recall(question)
        (hit,) = answer.hits
        assert {hit.id, *hit.also} == known
        assert (f"said in other words too, {len(hit.also)}×" in answer.text) == bool(hit.also)


@pytest.mark.parametrize(
    ("one", "other", "question"),
    [
        ("widget 7 is in bin 12", "widget 8 is in bin 12", "which widget is in bin 12?"),
        ("ticket PROJ-8841 is closed", "ticket PROJ-8814 is closed", "which ticket is closed?"),
        ("Ann likes tea", "Bob likes tea", "who likes tea?"),
        ("Ann likes tea", "Ann likes coffee", "what does Ann like?"),
        ("the review is on Monday", "the review is on Friday", "when is the review?"),
        ("Maya eats fish", "Maya does not eat fish", "does Maya eat fish?"),
        ("the cache is enabled", "the cache is disabled", "is the cache enabled or disabled?"),
        ("the benchmark ran with model A 3b", "the benchmark ran with model A 7b", "which model A ran?"),
        ("Ann lives in Berlin", "Ann's brother lives in Berlin", "who lives in Berlin?"),
        ("the dogs chase the cats", "the cats chase the dogs", "who chases the cats or the dogs?"),
        ("flights go from Paris to Rome", "flights go from Rome to Paris", "flights Paris Rome"),
    ],
)  # fmt: skip
def test_what_differs_in_a_detail_is_shown_for_itself(minded, one, other, question):
    stored = {minded.remember(text).id for text in (one, other)}
    minded.flush()
    assert {hit.id for hit in minded.rank(question, unsure=True, include_past=True)} == stored


def test_who_says_it_when_it_happened_and_how_long_it_holds_keep_two_apart(mind):
    mind.remember("I like green tea", speaker="Ann")
    mind.remember("Green tea is what I like", speaker="Bob")
    mind.remember("The boiler was checked", occurred="2024-03-01", role="event")
    mind.remember("Checked was the boiler", occurred="2025-03-01", role="event")
    assert len(mind.rank("who likes green tea?", unsure=True)) == 2
    assert len(mind.rank("was the boiler checked?", unsure=True)) == 2


def test_turns_stand_as_they_were_said(mind):
    turns = [Turn(key=str(n), speaker="Ann", text=text) for n, text in enumerate(FACTS[0])]
    mind.record("talk", turns)
    assert len(mind.rank("office wifi password", unsure=True)) == 4


def test_as_many_are_shown_as_were_asked_for_and_the_trace_says_what_stands_for_what(mind):
    ids = [mind.remember(text).id for text in FACTS[0]]
    more = [mind.remember(f"Guest number {n} asked for the office wifi password").id for n in range(5)]
    found = mind.ranked("office wifi password", 4, unsure=True)
    assert len(found.hits) == 4
    (step,) = [step for step in found.trace.steps if isinstance(step, ShownOnce)]
    ((shown, also),) = step.groups
    assert {shown, *also} <= {*ids}
    assert {hit.id for hit in found.hits} - {*ids} <= {*more}


def test_a_brief_says_it_once_too(mind):
    for text in FACTS[4]:
        mind.remember(text, importance="important")
    assert len(mind.brief().hits) == 1


def test_what_two_people_say_of_their_own_is_shown_for_each(tmp_path):
    with scratch_mind(tmp_path, semantic="off") as mind:
        mind.remember("My car is the red one", subject="Bob's car")
        mind.remember("The red one is my car", subject="Ann's car")
        assert len(mind.rank("which car is red?")) == 2
