"""A time in a question lifts what was said or happened then, brings it in, and never hides the rest."""

from noosphere.model.trace import Gathered


def fill(mind):
    mind.remember("Ann repaired the boat", occurred="2025-03-10")
    mind.remember("Ann repaired the boat once more", occurred="2025-07-04")
    mind.remember("Ann painted the shed", occurred="2025-07-20")


def test_what_happened_in_the_time_asked_for_comes_first(mind):
    fill(mind)
    assert mind.rank("What did Ann repair in July 2025?")[0].dates.happened == "2025-07-04"
    assert mind.rank("What did Ann repair in March 2025?")[0].dates.happened == "2025-03-10"


def test_the_rest_is_still_there(mind):
    fill(mind)
    found = {h.text for h in mind.rank("What did Ann repair in July 2025?")}
    assert "Ann repaired the boat" in found


def test_what_shares_no_word_with_the_question_is_found_by_its_time(mind):
    fill(mind)
    hit = next(h for h in mind.rank("what went on in July 2025", unsure=True) if h.text == "Ann painted the shed")
    assert "window" in {lane.name for lane in hit.lanes}


def test_the_past_of_a_relative_time_is_counted_from_the_present_that_is_given(mind):
    fill(mind)
    hits = mind.rank("What did Ann repair last month?", now="2025-08-15")
    assert hits[0].dates.happened == "2025-07-04"


def test_an_empty_time_leaves_the_answer_to_the_words(mind):
    fill(mind)
    ranked = mind.ranked("What did Ann repair in May 1999?")
    assert {h.dates.happened for h in ranked.hits} >= {"2025-03-10", "2025-07-04"}
    window = next(s for s in ranked.trace.steps if isinstance(s, Gathered) and s.lane == "window")
    assert window.found == ()


def test_a_question_without_a_time_has_no_such_lane(mind):
    fill(mind)
    assert "window" not in {s.lane for s in mind.ranked("What did Ann repair?").trace.steps if isinstance(s, Gathered)}
