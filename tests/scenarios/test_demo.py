"""The demo's data answers the demo's questions, and only because the answering message is in it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import noosphere

DEMO = Path(__file__).parents[2] / "examples" / "demo"
ROW = re.compile(
    r"^\| (?P<question>[^|]+) \| (?P<place>[^|]+) \| `(?P<source>[^`]+)` \| (?P<words>[^|]+) \|", re.MULTILINE
)
QUESTIONS = [m.groupdict() for m in ROW.finditer((DEMO / "QUESTIONS.md").read_text(encoding="utf-8"))]
IN_CHATS = [q for q in QUESTIONS if not q["source"].startswith("notes/")]


def ask(mind, question):
    return [hit.text for hit in mind.recall(question, k=8).hits]


def fill(folder, export):
    mind = noosphere.open_mind(folder / "demo.db", settings=noosphere.Settings(background=False))
    mind.harvest(export, DEMO / "notes")
    mind.flush()
    return mind


def test_the_list_of_questions_was_read():
    assert len(QUESTIONS) >= 12


@pytest.mark.slow
def test_nearly_every_question_finds_the_words_that_answer_it(tmp_path):
    with fill(tmp_path, DEMO / "conversations.json") as mind:
        missed = [
            q["question"] for q in QUESTIONS if not any(q["words"].strip() in t for t in ask(mind, q["question"]))
        ]
    assert len(missed) <= len(QUESTIONS) // 8, missed


@pytest.mark.slow
def test_without_the_answering_messages_the_answers_are_gone(tmp_path):
    """Every message that holds an answer's words is deleted from the export, and so is every note that does."""
    asked = [q for q in IN_CHATS if len(q["words"].strip()) > 5]
    export = json.loads((DEMO / "conversations.json").read_text(encoding="utf-8"))
    for row in asked:
        for conversation in export:
            _delete(conversation, row["words"].strip())
    thinned = tmp_path / "conversations.json"
    thinned.write_text(json.dumps(export, ensure_ascii=False), encoding="utf-8")
    with noosphere.open_mind(tmp_path / "thin.db", settings=noosphere.Settings(background=False)) as mind:
        mind.harvest(thinned)
        mind.flush()
        left = {row["question"]: [t for t in ask(mind, row["question"]) if row["words"].strip() in t] for row in asked}
    assert left == {row["question"]: [] for row in asked}


def _delete(conversation, words):
    """Empty the messages that say these words; the tree keeps its shape."""
    mapping = conversation.get("mapping")
    if not isinstance(mapping, dict):
        return
    for node in mapping.values():
        if words in json.dumps(node.get("message"), ensure_ascii=False):
            node["message"] = None
