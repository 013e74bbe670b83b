"""The judge of the truth evals, on histories made by hand."""

from __future__ import annotations

from evals.truth.cases import History, Question, half
from evals.truth.measure import measure, retired_in


def asked(right, wrong, *, now="2024-06-01", as_of=None, kind="current"):
    return Question("where?", now, as_of, kind, tuple(right), tuple(wrong))


def history(*questions, theme="moves", decoys=(), texts=("I live in Rome", "I moved to Oslo", "Ann lives in Rome")):
    days = ("2024-01-01", "2024-03-01", "2024-02-01")
    memories = tuple((text, day, "user") for text, day in zip(texts, days, strict=True))
    return History("hand", theme, memories, questions, tuple(decoys))


def test_what_is_wrong_now_is_retired():
    question = asked([1], [0])
    assert retired_in(history(question), question) == {0}


def test_a_decoy_is_never_retired():
    question = asked([1], [0, 2])
    assert retired_in(history(question, decoys=[(2,)]), question) == {0}


def test_what_answers_another_question_of_the_same_time_stands():
    question, other = asked([1], [0, 2]), asked([2], [1])
    assert retired_in(history(question, other), question) == {0}


def test_what_answers_a_question_of_another_time_may_be_retired():
    question, earlier = asked([1], [0]), asked([0], [1], now="2024-02-01")
    assert retired_in(history(question, earlier), question) == {0}


def test_a_lookalike_in_a_history_for_decoys_is_not_retired_though_a_history_question_asks_for_it():
    question = asked([0], [2])
    told = asked([2], [0], kind="history")
    assert retired_in(history(question, told, theme="lookalikes"), question) == set()


def test_what_held_before_its_successor_was_said_is_retired_in_a_history_for_decoys_too():
    question = asked([1], [0])
    then = asked([0], [1], as_of="2024-02-01", kind="as_of")
    assert retired_in(history(question, then, theme="other-subject"), question) == {0}


def test_what_is_told_of_another_subject_is_not_retired_by_having_been_true():
    question = asked([0], [2])
    then = asked([2], [0], as_of="2024-03-01", kind="as_of")
    assert retired_in(history(question, then, theme="other-subject"), question) == set()


def test_a_measured_history_gives_every_score():
    question = asked([1], [0])
    scores, failed = measure([history(question, decoys=[(2,)])])
    assert failed == []
    assert scores["current"] == scores["absent"] == scores["recall"] == scores["precision"] == [1.0]
    assert scores["decoys"] == [0.0]


def test_a_measured_history_shows_what_is_not_retired():
    question = asked([1], [0])
    texts = ("I was fond of Rome", "Oslo is where I am fond of now, not of it", "Ann lives in Rome")
    scores, failed = measure([history(question, texts=texts)])
    assert scores["recall"] == [0.0]
    assert failed


def test_the_fresh_part_has_decoys_and_questions_whose_answers_stand_in_the_right_memories():
    fresh = half("fresh")
    assert len({h.id for h in fresh}) == len(fresh)
    assert sum(len(group) for h in fresh for group in h.decoys) > len(fresh)
    for h in fresh:
        for question in h.questions:
            assert set(question.right).isdisjoint(question.wrong)
            assert max((*question.right, *question.wrong)) < len(h.memories)
