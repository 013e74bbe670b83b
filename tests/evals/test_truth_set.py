"""The independent truth set keeps its schema, and its labels are possible ones."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import date, datetime
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "evals" / "truth" / "independent"
DECOY_THEMES = {"set-valued", "other-subject", "lookalikes"}
KINDS = {"current", "as_of", "history"}
QUESTION = {"ask", "now", "as_of", "kind", "answer", "right", "wrong"}


def read_all():
    lines = [line for file in sorted(FOLDER.glob("*.jsonl")) for line in file.read_text(encoding="utf-8").splitlines()]
    return [json.loads(line) for line in lines]


HISTORIES = read_all()
every_history = pytest.mark.parametrize("history", HISTORIES, ids=lambda history: history["id"])


def said_on(memory):
    return date.fromisoformat(memory["said_at"][:10])


def frame(history):
    """The history's sentences with names, numbers and long words struck out."""
    return tuple(re.sub(r"\b(?:[A-Z]\w*|\w*\d\w*|\w{8,})", "_", memory["text"]) for memory in history["memories"])


@every_history
def test_a_history_has_its_fields_and_nothing_else(history):
    assert set(history) == {"id", "theme", "memories", "questions", "decoys"}
    assert 2 <= len(history["memories"]) <= 7
    assert 2 <= len(history["questions"]) <= 4
    for memory in history["memories"]:
        assert {"text", "said_at", "speaker"} <= set(memory) <= {"text", "said_at", "speaker", "subject_note"}
        assert all(isinstance(value, str) and value == value.strip() != "" for value in memory.values())
    for question in history["questions"]:
        assert set(question) == QUESTION
        assert question["kind"] in KINDS
        assert question["ask"].strip()
        assert question["answer"].strip()


@every_history
def test_dates_parse_and_a_time_of_day_has_its_zone(history):
    for memory in history["memories"]:
        if "T" in memory["said_at"]:
            assert datetime.fromisoformat(memory["said_at"]).tzinfo is not None
        else:
            date.fromisoformat(memory["said_at"])
    last = max(map(said_on, history["memories"]))
    for question in history["questions"]:
        assert date.fromisoformat(question["now"]) > last
        assert (question["as_of"] is not None) == (question["kind"] == "as_of")
        if question["as_of"] is not None:
            date.fromisoformat(question["as_of"])


@every_history
def test_indices_point_at_memories_and_no_memory_is_both_right_and_wrong(history):
    known = set(range(len(history["memories"])))
    for question in history["questions"]:
        right, wrong = question["right"], question["wrong"]
        assert right
        assert set(right) | set(wrong) <= known
        assert len({*right, *wrong}) == len(right) + len(wrong)
    for group in history["decoys"]:
        assert group
        assert set(group) <= known
        assert len(set(group)) == len(group)
    assert len({tuple(sorted(group)) for group in history["decoys"]}) == len(history["decoys"])


@every_history
def test_the_answer_stands_in_every_right_memory(history):
    for question in history["questions"]:
        for index in question["right"]:
            assert question["answer"].casefold() in history["memories"][index]["text"].casefold()


@every_history
def test_what_is_asked_as_of_a_day_was_said_before_it_or_states_an_earlier_start(history):
    for question in history["questions"]:
        if question["as_of"] is None:
            continue
        day = date.fromisoformat(question["as_of"])
        for index in question["right"]:
            memory = history["memories"][index]
            years = [int(year) for year in re.findall(r"\b(?:19|20)\d\d\b", memory["text"])]
            assert said_on(memory) < day or any(year <= day.year for year in years)


def test_ids_and_texts_are_unique_and_no_two_histories_share_their_sentence_frames():
    assert len({history["id"] for history in HISTORIES}) == len(HISTORIES)
    texts = [memory["text"].casefold() for history in HISTORIES for memory in history["memories"]]
    assert [text for text, times in Counter(texts).items() if times > 1] == []
    frames = Counter(map(frame, HISTORIES))
    assert [shared for shared, times in frames.items() if times > 1] == []


def test_out_of_order_histories_arrive_out_of_order():
    for history in HISTORIES:
        if history["theme"] == "out-of-order":
            days = [said_on(memory) for memory in history["memories"]]
            assert days != sorted(days)


def test_the_set_is_large_enough_and_mixed():
    ordinary = [history for history in HISTORIES if history["theme"] not in DECOY_THEMES]
    kinds = Counter(question["kind"] for history in HISTORIES for question in history["questions"])
    assert len(ordinary) >= 110
    assert sum(len(history["decoys"]) for history in HISTORIES) >= 160
    assert sum(bool(history["decoys"]) for history in ordinary) >= len(ordinary) / 2
    assert 0.35 <= kinds["current"] / kinds.total() <= 0.45
    assert min(kinds["as_of"], kinds["history"]) >= 100


def test_the_readme_states_the_counts():
    counted = {}
    for history in HISTORIES:
        kinds = Counter(question["kind"] for question in history["questions"])
        numbers = [1, len(history["memories"]), len(history["questions"])]
        numbers += [kinds["current"], kinds["as_of"], kinds["history"], len(history["decoys"])]
        for name in (history["theme"], "all"):
            counted[name] = [a + b for a, b in zip(counted.get(name, [0] * 7), numbers, strict=True)]
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z-]+) \|((?: \d+ \|){7})$", readme, re.MULTILINE)
    assert {name: [int(number) for number in re.findall(r"\d+", cells)] for name, cells in rows} == counted
