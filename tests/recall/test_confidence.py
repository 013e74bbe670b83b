"""How sure a match is: absolute, higher for more of the question, and nothing is said to be there when nothing is."""

from math import log1p

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noosphere import Turn
from noosphere.model.trace import Nothing
from noosphere.recall.confidence import Evidence, coverage, discounted, is_sure, p

GRADES = ("keyword", "static", "multilingual", "encoder", "interaction")
SHARE = st.floats(0, 1)


def held(share, cosine, interaction):
    """Evidence of a text that holds a share of a question of five words."""
    return Evidence(share, share, log1p(round(5 * share)), 1 - share, cosine, interaction)


@given(st.sampled_from(GRADES), SHARE, SHARE, SHARE, SHARE)
def test_p_is_a_share_and_grows_with_what_speaks_for_a_match(grade, less, more, cosine, interaction):
    less, more = sorted((less, more))
    low, high = (p(held(c, cosine, interaction), grade) for c in (less, more))
    assert 0 <= low <= high <= 1


@pytest.mark.parametrize("grade", GRADES)
def test_a_match_of_everything_is_sure_and_of_nothing_is_not(grade):
    assert is_sure(p(held(1.0, 0.9, 0.9), grade), grade)
    assert not is_sure(p(held(0.0, 0.1, 0.1), grade), grade)


@given(SHARE, st.integers(0, 10_000), st.integers(1, 10_000))
def test_what_a_long_text_holds_counts_less(share, length, more):
    assert 0 <= discounted(share, length + more) <= discounted(share, length) <= share


def test_words_that_a_mind_has_never_met_make_it_less_sure_the_larger_the_mind_is(mind):
    def sureness():
        return mind.rank("where does the heron nest, flonk zark?", 1, lanes=("keyword",), unsure=True)[0].p

    mind.remember("the heron nests by the weir")
    small = sureness()
    mind.remember_many([f"the lock keeper noted water level {n}" for n in range(300)])
    assert sureness() < small


def test_coverage_weighs_words_by_their_rarity():
    assert coverage([0], [3.0, 1.0]) == 0.75
    assert coverage([], [3.0, 1.0]) == 0.0
    assert coverage([], []) == 0.0


def test_nonsense_finds_nothing_and_the_trace_says_why(thinking):
    thinking.remember_many([f"the heron nests by weir number {n}" for n in range(30)])
    thinking.flush()
    ranked = thinking.ranked("gribble flonk zark")
    assert ranked.hits == ()
    nothing = next(s for s in ranked.trace.steps if isinstance(s, Nothing))
    assert nothing.left_out > 0
    assert "`unsure` shows them" in ranked.trace.explain()


def test_whether_anything_is_relevant_does_not_hang_on_how_many_are_wanted(mind):
    asked = Turn(key="1", speaker="Ann", text="Who takes the pager this week?", at="2025-05-19T08:00Z")
    told = Turn(key="2", speaker="Bo", text="I do, from Tuesday on.", at="2025-05-19T08:01Z")
    mind.record("standup", [asked, told], participants=["Ann", "Bo"])
    best = mind.rank("who has the pager?", 5)
    assert [hit.sure for hit in best] == [True, True]
    assert [hit.id for hit in mind.rank("who has the pager?", 1)] == [best[0].id]
    assert mind.rank("who has the gribble?", 1) == mind.rank("who has the gribble?", 5) == []


@pytest.fixture
def shift(mind):
    """What matters and hardly matches stands before the answer to a question that matches and is old."""
    dear = " ".join(f"row {n} of what is dear, painted, mended, sold and bought" for n in range(600))
    mind.remember(f"Battery prices: {dear}", importance="critical", status="canonical")
    turns = [("Ann", "Who has the pager of the night shift this week?"), ("Bo", "I do, until Sunday.")]
    told = [Turn(key=who, speaker=who, text=text, at="2019-05-14T09:00Z") for who, text in turns]
    mind.record("standup", told, participants=["Ann", "Bo"])
    return mind


SHIFT = "who has the pager of the night shift, and how do I reach them when the tower breaks, by bell or battery"


@pytest.mark.parametrize("k", [1, 2, 3, 5, 20])
def test_which_matches_are_sure_does_not_hang_on_how_many_are_wanted(shift, k):
    every = [hit.sure for hit in shift.rank(SHIFT, 40, profile="important", lanes=["keyword"], unsure=True)]
    assert every == [False, True, True]
    found = shift.rank(SHIFT, k, profile="important", lanes=["keyword"])
    assert [hit.sure for hit in found] == every[:k]
    sure = shift.rank(SHIFT, k, profile="important", lanes=["keyword"], sure=True)
    assert [hit.turn_key for hit in sure] == ["Bo", "Ann"][:k]


def test_unsure_matches_come_marked_when_they_are_wanted(thinking):
    thinking.remember_many([f"the heron nests by weir number {n}" for n in range(30)])
    thinking.flush()
    answer = thinking.recall("gribble flonk zark", unsure=True)
    assert answer.hits
    assert not any(hit.sure for hit in answer.hits)
    assert answer.text.count("unsure match") == len(answer.hits)


def test_an_id_that_matches_as_itself_is_sure(mind):
    mind.remember_many([f"ticket PROJ-{n} is about the heron" for n in range(40)])
    hit = mind.rank("anything new regarding that thing PROJ-17 please tell quickly")[0]
    assert (hit.text, hit.sure) == ("ticket PROJ-17 is about the heron", True)


def test_an_answer_is_as_sure_as_the_question_it_follows(mind):
    turns = [("Ann", "Who takes the pager this week?"), ("Bo", "I do, until Sunday."), ("Ann", "Fine, see you there.")]
    mind.record("standup", [Turn(key=str(n), speaker=who, text=text) for n, (who, text) in enumerate(turns)])
    found = {hit.text: hit for hit in mind.rank("who has the pager?", unsure=True)}
    assert found["I do, until Sunday."].sure


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("I report to Dana", "who is my manager?"),
        ("I started at Globex", "where do I work?"),
        ("We moved to Lisbon", "in which city do we live?"),
    ],
)
def test_a_fact_answers_the_question_for_its_slot_though_it_holds_no_word_of_it(mind, told, question):
    mind.remember(told)
    (found,) = mind.rank(question)
    assert found.text == told
    assert found.sure
    assert not mind.rank("what does the heron eat?")


def test_what_waits_to_be_embedded_is_told_where_nothing_is_found_for_it(thinking):
    thinking.remember("Salaries go out on the 25th")
    (told,) = thinking.ranked("payday?").trace.degraded()
    assert (told.part, told.reason) == ("semantic", "some units wait to be embedded")
    thinking.flush()
    assert thinking.ranked("payday?").trace.degraded() == ()
