"""The demo data: a true export in shape, and questions whose answers are where QUESTIONS.md says."""

import re
from pathlib import Path

import pytest
from exports import of_path

from noosphere.harvest.items import Omission

DEMO = Path(__file__).parents[2] / "examples" / "demo"
ROW = re.compile(r"\| (?P<question>[^|]+) \| (?P<title>[^|]+) \| `(?P<key>[^`]+)` \| (?P<words>[^|]+) \| [^|]*\|")
QUESTIONS = [match for line in (DEMO / "QUESTIONS.md").read_text("utf-8").splitlines() if (match := ROW.match(line))]


def test_the_demo_export_holds_every_kind_of_thing_a_real_one_does():
    found = of_path(DEMO / "conversations.json")
    assert len(found.talks) == 9
    assert sum(len(talk.turns) for talk in found.talks) == 84
    assert len(found.notes) == 2
    assert len(found.rejects) == 1
    assert {Omission.SYSTEM_MESSAGE, Omission.PROFILE, Omission.TOOL_CALL, Omission.TOOL_OUTPUT} < set(found.left)
    assert found.left[Omission.DO_NOT_REMEMBER] == 3
    assert [talk.title for talk in found.talks if talk.notes] == ["PF-4417 in the nightly export"]


def test_the_demo_notes_are_seven():
    found = of_path(DEMO / "notes")
    assert len(found.notes) == 7
    assert (found.rejects, found.left) == ([], {})


def test_there_are_enough_questions():
    assert len(QUESTIONS) >= 12


@pytest.mark.parametrize("row", QUESTIONS, ids=lambda row: row["question"].strip())
def test_the_answer_is_where_the_question_list_says(row):
    found = of_path(DEMO / "conversations.json")
    texts = {turn.key: (talk.title, turn.text) for talk in found.talks for turn in talk.turns}
    titles = {talk.id: talk.title for talk in found.talks}
    for note in [*found.notes, *of_path(DEMO / "notes").notes]:
        key = note.metadata.get("message") or note.metadata["path"]
        texts[key] = (titles.get(note.metadata.get("conversation"), "notes"), note.text)
    title, text = texts[row["key"]]
    assert title == row["title"]
    assert row["words"] in text
