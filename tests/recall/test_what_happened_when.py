"""What a memory tells is dated by its own words, and a question of a time alone gets what is of that time."""

import pytest

from noosphere import Turn

SAID = "2026-03-10T10:00:00Z"


@pytest.mark.parametrize(
    ("text", "occurred"),
    [
        ("We moved the office to Porto last month.", "2026-02"),
        ("Yesterday I broke the blue vase.", "2026-03-09"),
        ("The boiler was replaced in the week of 3 February 2025.", "2025-W06"),
        ("I ran the marathon in October.", "2025-10"),
        ("We will launch on 4 May 2026.", "2026-05-04"),
        ("I like green tea", None),
        ("We may march in a second", None),
        ("We meet on Friday", None),
        ("Did you go there yesterday?", None),
        ("In 2019 I left and in 2021 I came back.", None),
        ("Every Monday we swim.", None),
    ],
)
def test_a_memory_is_dated_by_its_own_words_from_when_it_was_said(mind, text, occurred):
    stored = mind.remember(text, said_at=SAID)
    assert mind.get(stored.id).occurred == occurred


def test_what_the_caller_says_of_the_time_stands(mind):
    stored = mind.remember("We moved yesterday", said_at=SAID, occurred="2020-05")
    assert mind.get(stored.id).occurred == "2020-05"


def test_the_same_words_of_two_days_tell_of_two_days(mind):
    one = mind.remember("We deployed yesterday", said_at="2026-03-10T10:00:00Z")
    two = mind.remember("We deployed yesterday", said_at="2026-03-12T10:00:00Z")
    again = mind.remember("We deployed yesterday", said_at="2026-03-12T18:00:00Z")
    assert one.id != two.id
    assert type(again).__name__ == "Duplicate"
    assert again.id == two.id


def test_a_time_that_the_old_words_gave_goes_with_them_and_one_that_was_given_stays(mind):
    told = mind.remember("We moved yesterday", said_at=SAID)
    mind.revise(told.id, "We moved last month", said_at=SAID)
    assert mind.get(told.id).occurred == "2026-02"
    mind.revise(told.id, "We moved")
    assert (mind.get(told.id).occurred, mind.get(told.id).valid_from_basis) == (None, "said")
    given = mind.remember("We sang", said_at=SAID, occurred="2020-05")
    mind.revise(given.id, "We sang yesterday")
    assert mind.get(given.id).occurred == "2020-05"


def test_an_import_without_a_time_of_its_own_is_dated_by_absolute_words_only(mind):
    relative = mind.remember("We moved yesterday", source="import")
    absolute = mind.remember("We moved on 3 May 2024", source="import")
    assert mind.get(relative.id).occurred is None
    assert mind.get(absolute.id).occurred == "2024-05-03"


def test_a_long_text_tells_of_more_than_one_moment(mind):
    stored = mind.remember("We moved yesterday. " + "The lamp is green. " * 60, said_at=SAID)
    assert mind.get(stored.id).occurred is None


def test_a_slot_keeps_the_times_its_rule_found(mind):
    stored = mind.remember("I moved to Lisbon in March 2025.", said_at=SAID)
    told = mind.get(stored.id)
    assert (told.occurred, told.valid_from.date().isoformat()) == ("2025-03", "2025-03-01")


def test_what_happened_is_shown_and_found_by_its_time_and_not_by_when_it_was_said(mind):
    mind.remember("We moved the office to Porto last month.", said_at=SAID)
    answer = mind.recall("Where did the office move in February 2026?")
    assert answer.hits[0].dates.happened == "2026-02"
    assert "[2026-02] We moved the office" in answer.text
    assert mind.recall("catch me up", as_of="2026-01-15").hits == ()


@pytest.mark.parametrize("question", ["what happened in February 2026?", "What did we do in February 2026?"])
def test_a_question_of_a_time_alone_gets_what_is_of_that_time_in_its_order(mind, question):
    mind.remember("We moved the office to Porto last month.", said_at=SAID)
    mind.remember("I like green tea", said_at=SAID)
    mind.record("chat", [Turn(key="a", speaker="Ann", text="The roof leaks", at="2026-02-20T10:00:00Z")])
    texts = [hit.text for hit in mind.recall(question).hits]
    assert texts == ["We moved the office to Porto last month.", "The roof leaks"]


def test_a_time_of_which_nothing_is_known_leaves_what_is_new(mind):
    mind.remember("I like green tea", said_at=SAID)
    answer = mind.recall("what happened in May 1999?")
    assert [hit.text for hit in answer.hits] == ["I like green tea"]
    assert any(getattr(step, "by", "") == "time" and step.found == 0 for step in answer.trace.steps)
