"""Concept mastery: answers counted, the next question spaced out by how well it went."""

from datetime import timedelta

import pytest

from noosphere import InvalidInput

pytest.importorskip("fsrs")


def test_a_concept_is_due_again_after_a_spell_that_grows_with_right_answers(mind, clock):
    gaps = []
    for _ in range(5):
        answered = mind.mastery.answer("Bayes' rule", correct=True)
        gap = answered.due_at - mind.mastery.list()[0].last_at
        gaps.append(gap)
        assert mind.mastery.due() == []
        clock.advance(gap)
        assert [c.concept for c in mind.mastery.due()] == ["Bayes' rule"]
    assert gaps == sorted(gaps)
    assert gaps[-1] > timedelta(days=7)


def test_a_wrong_answer_brings_it_back_sooner(mind, clock):
    for concept in ("known", "unknown"):
        for _ in range(4):
            mind.mastery.answer(concept, correct=True)
            clock.advance(timedelta(days=3))
    mind.mastery.answer("unknown", correct=False)
    mind.mastery.answer("known", rating="easy")
    due = {c.concept: c.due_at for c in mind.mastery.list()}
    assert due["unknown"] < due["known"]


def test_answers_are_counted_by_concept_whatever_its_case(mind):
    for said, right in (("Entropy", True), (" entropy ", False), ("ENTROPY", True)):
        mind.mastery.answer(said, correct=right)
    (concept,) = mind.mastery.list()
    assert (concept.concept, concept.answers, concept.correct) == ("Entropy", 3, 2)


def test_it_is_apart_from_memory(mind):
    mind.mastery.answer("entropy", correct=True)
    assert mind.rank("entropy") == []
    assert mind.stats().memories == 0


@pytest.mark.parametrize("wrong", [{}, {"correct": True, "rating": "good"}, {"rating": "fine"}, {"correct": "yes"}])
def test_an_answer_is_right_or_wrong_or_rated(mind, wrong):
    with pytest.raises(InvalidInput):
        mind.mastery.answer("entropy", **wrong)
    assert mind.mastery.list() == []
