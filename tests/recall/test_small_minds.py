"""In a mind of a few texts the match decides, not who spoke or how."""

import pytest

from noosphere import Turn
from noosphere.recall.features import HIGH, SMALL, zscores


def test_a_note_that_matches_comes_before_turns_that_hardly_do(mind):
    said = [
        ("u1", "user", "I want to learn Portuguese. How should I start to listen?"),
        ("a1", "assistant", "With ten minutes of listening a day."),
    ]
    turns = [
        Turn(key=k, speaker=r, speaker_role=r, text=t, at=f"2025-05-01T08:0{n}Z") for n, (k, r, t) in enumerate(said)
    ]
    mind.record("lessons", turns)
    note = mind.remember("The staging database listens on port 5433.")
    assert mind.rank("which port does the staging database listen on?")[0].id == note.id


def test_a_note_about_the_person_a_question_names_keeps_up_with_what_they_say(mind):
    lines = ["Hello there!", "The harbour is lovely.", "See you soon."]
    turns = [Turn(key=str(n), speaker="Mara", text=t, at=f"2025-05-01T08:0{n}Z") for n, t in enumerate(lines)]
    mind.record("chat", turns)
    note = mind.remember("Mara keeps the spare key of the harbour flat.")
    assert mind.rank("where is Mara's key of the harbour flat?")[0].id == note.id


def test_the_best_of_a_few_stands_out_but_not_beyond_all_else():
    best, second, *_ = zscores([8.0, 4.0, 1.0, 0.5])
    assert best == pytest.approx(HIGH)
    assert HIGH / 4 < second < best
    assert zscores([8.0, *[0.0] * SMALL])[0] > HIGH


def test_matches_that_hardly_differ_are_hardly_told_apart():
    best, worst = zscores([1.00, 0.96])
    assert 0 < best - worst < 0.3


def test_a_length_is_measured_against_the_others_alone():
    assert zscores([2.0, 4.0], matches=False) == [-1.0, 1.0]


def test_scores_that_are_not_there_tell_nothing():
    assert zscores([0.0, 0.0, None]) == [0.0, 0.0, 0.0]
    assert zscores([]) == []
