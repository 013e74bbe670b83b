"""In a mind of a few texts the match decides, not who spoke or how."""

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
    few = zscores([8.0, 1.0, 1.0, 0.5])
    many = zscores([8.0, 1.0, 1.0, *[0.5] * (SMALL - 3)])
    assert many[0] > 5
    assert few == [HIGH, *many[1:4]]


def test_scores_that_do_not_differ_tell_nothing():
    assert zscores([0.4, 0.4, None]) == [0.0, 0.0, 0.0]
    assert zscores([]) == []
