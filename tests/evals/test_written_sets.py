"""The sets written by hand are well formed: their labels point into their texts and agree with one another."""

from __future__ import annotations

import json
import re
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

EVALS = Path(__file__).parents[2] / "evals"
LEARNING = EVALS / "learning" / "independent"
DATES = EVALS / "dates" / "independent"
LANGUAGES = EVALS / "languages"

ROLES = {
    *("preference", "style", "correction", "decision", "finding", "recommendation"),
    *("commitment", "task", "identity", "fact", "work_output"),
}
PERSONAL_ROLES = {"preference", "style", "correction", "identity"}
ENTITY_TYPES = {
    *("person", "organization", "project", "technology", "tool"),
    *("product", "concept", "location", "file", "event"),
}
RELATION_TYPES = {
    *("led_by", "reports_to", "depends_on", "maintained_by", "affiliated_with"),
    *("approved", "uses", "part_of", "located_in"),
}
SOURCE_OF_SPEAKER = {"user": "user_stated", "assistant": "agent_inferred"}


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def distinct(values):
    return len(values) == len(set(values))


FIRST_EXCHANGES = lines(LEARNING / "exchanges.jsonl")
FIRST_PARAGRAPHS = lines(LEARNING / "paragraphs.jsonl")
FOURTH_EXCHANGES = lines(LEARNING.parent / "fourth.jsonl")
FOURTH_PARAGRAPHS = lines(LEARNING.parent / "fourth_paragraphs.jsonl")
FIFTH_EXCHANGES = lines(LEARNING.parent / "fifth.jsonl")
FIFTH_PARAGRAPHS = lines(LEARNING.parent / "fifth_paragraphs.jsonl")
EXCHANGES = FIRST_EXCHANGES + FOURTH_EXCHANGES + FIFTH_EXCHANGES
PARAGRAPHS = FIRST_PARAGRAPHS + FOURTH_PARAGRAPHS + FIFTH_PARAGRAPHS
ORDINARY = lines(DATES / "ordinary.jsonl")
DATED = lines(DATES / "dated.jsonl")
CROSS = lines(LANGUAGES / "cross.jsonl")
MEMORIES = {line["id"]: line for line in CROSS if line["type"] == "memory"}
QUESTIONS = [line for line in CROSS if line["type"] == "question"]


@pytest.mark.parametrize("exchange", EXCHANGES, ids=lambda exchange: exchange["id"])
def test_an_exchange_labels_its_own_sentences(exchange):
    assert list(exchange) == [
        *("id", "user", "assistant", "tool", "previous_assistant", "workspace_open", "captures", "chatter")
    ]
    assert isinstance(exchange["workspace_open"], bool)
    spoken = [exchange["user"], exchange["assistant"], exchange["tool"] or ""]
    for capture in exchange["captures"]:
        assert list(capture) == ["span", "speaker", "role", "target", "source"]
        assert capture["span"]
        assert capture["span"] == capture["span"].strip()
        assert capture["span"] in exchange[capture["speaker"]]
        assert capture["source"] == SOURCE_OF_SPEAKER[capture["speaker"]]
        assert capture["role"] in ROLES
    for sentence in exchange["chatter"]:
        assert sentence
        assert any(sentence in text for text in spoken)
        assert not any(sentence in capture["span"] or capture["span"] in sentence for capture in exchange["captures"])
    assert distinct([capture["span"] for capture in exchange["captures"]])
    assert distinct(exchange["chatter"])


@pytest.mark.parametrize("exchange", EXCHANGES, ids=lambda exchange: exchange["id"])
def test_a_capture_is_routed_by_its_role_and_the_open_workspace(exchange):
    for capture in exchange["captures"]:
        assert capture["target"] in {"personal", "workspace"}
        if capture["role"] in PERSONAL_ROLES or not exchange["workspace_open"]:
            assert capture["target"] == "personal"
        else:
            assert capture["target"] == "workspace"


@pytest.mark.parametrize("paragraph", PARAGRAPHS, ids=lambda paragraph: paragraph["id"])
def test_a_paragraph_names_what_stands_in_it(paragraph):
    assert list(paragraph) == ["id", "language", "text", "entities", "relations"]
    names = [entity["name"] for entity in paragraph["entities"]]
    assert distinct(names)
    for entity in paragraph["entities"]:
        assert list(entity) == ["name", "type"]
        assert entity["type"] in ENTITY_TYPES
        assert entity["name"] in paragraph["text"]
    for relation in paragraph["relations"]:
        assert list(relation) == ["src", "type", "dst"]
        assert relation["type"] in RELATION_TYPES
        assert relation["src"] in names
        assert relation["dst"] in names
        assert relation["src"] != relation["dst"]
    assert distinct([tuple(relation.values()) for relation in paragraph["relations"]])


def test_a_person_leads_approves_and_reports_in_the_direction_read():
    for paragraph in PARAGRAPHS:
        types = {entity["name"]: entity["type"] for entity in paragraph["entities"]}
        for relation in paragraph["relations"]:
            src, dst = types[relation["src"]], types[relation["dst"]]
            match relation["type"]:
                case "reports_to":
                    assert (src, dst) == ("person", "person")
                case "led_by" | "maintained_by":
                    assert dst in {"person", "organization"}
                case "affiliated_with":
                    assert dst == "organization"
                case "approved":
                    assert src in {"person", "organization"}
                case "located_in":
                    assert dst == "location"


@pytest.mark.parametrize("line", DATED, ids=lambda line: f"{line['language']}-{line['span']}")
def test_a_dated_line_has_one_window_of_whole_days(line):
    assert list(line) == ["text", "language", "now", "span", "start", "end"]
    assert line["text"].count(line["span"]) == 1
    assert datetime.fromisoformat(line["now"]).tzinfo is not None
    start, end = (date.fromisoformat(day) if day else None for day in (line["start"], line["end"]))
    assert start or end
    if start and end:
        assert start < end


def test_a_year_in_the_words_lies_in_the_window():
    for line in DATED:
        if line["start"] and line["end"]:
            for year in re.findall(r"(?<!\d)\d{4}(?!\d)", line["span"]):
                assert line["start"][:4] <= year <= line["end"][:4]


@pytest.mark.parametrize(
    ("words", "weeks_away"),
    [
        *(("this week", 0), ("last week", -1), ("letzte woche", -1), ("la semana pasada", -1)),
        *(("la semaine dernière", -1), ("week before last", -2), ("next week", 1), ("three weeks ago", -3)),
        *(("in three weeks", 3), ("dentro de tres semanas", 3), ("dans trois semaines", 3)),
    ],
)
def test_a_week_runs_from_monday_to_monday(words, weeks_away):
    said = [line for line in DATED if line["span"].lower() == words]
    assert said
    for line in said:
        today = datetime.fromisoformat(line["now"]).date()
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=weeks_away)
        assert (line["start"], line["end"]) == (monday.isoformat(), (monday + timedelta(weeks=1)).isoformat())


@pytest.mark.parametrize(
    ("words", "weekday", "step"),
    [
        *(("last friday", 4, -1), ("last thursday", 3, -1), ("letzten freitag", 4, -1), ("el viernes pasado", 4, -1)),
        *(("vendredi dernier", 4, -1), ("next tuesday", 1, 1), ("next friday", 4, 1), ("nächsten dienstag", 1, 1)),
        *(("el próximo martes", 1, 1), ("mardi prochain", 1, 1)),
    ],
)
def test_a_named_weekday_is_the_nearest_on_its_side_of_now(words, weekday, step):
    said = [line for line in DATED if line["span"].lower() == words]
    assert said
    for line in said:
        day = datetime.fromisoformat(line["now"]).date() + timedelta(days=step)
        while day.weekday() != weekday:
            day += timedelta(days=step)
        assert (line["start"], line["end"]) == (day.isoformat(), (day + timedelta(days=1)).isoformat())


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_a_question_is_answered_in_another_language(question):
    assert list(question) == ["type", "id", "language", "ask", "right"]
    assert question["right"]
    assert distinct(question["right"])
    assert all(MEMORIES[memory]["language"] != question["language"] for memory in question["right"])


def test_every_memory_of_the_cross_lingual_set_is_its_own():
    assert all(list(memory) == ["type", "id", "language", "text"] for memory in MEMORIES.values())
    assert len(MEMORIES) + len(QUESTIONS) == len(CROSS)
    assert distinct([memory["text"] for memory in MEMORIES.values()])
    right = [memory for question in QUESTIONS for memory in question["right"]]
    assert distinct(right)


def test_no_id_and_no_text_stands_twice():
    for rows in (EXCHANGES, PARAGRAPHS, CROSS):
        assert distinct([row["id"] for row in rows])
    assert distinct([row["text"] for row in (*ORDINARY, *DATED)])
    assert distinct([row["text"] for row in PARAGRAPHS])
    assert distinct([row["user"] for row in EXCHANGES])
    assert all(list(row) == ["text"] and row["text"].strip() for row in ORDINARY)


def test_the_sets_are_as_large_and_as_varied_as_they_claim():
    assert len(EXCHANGES) >= 36
    assert len(PARAGRAPHS) >= 36
    assert len(ORDINARY) >= 110
    languages = [line["language"] for line in DATED]
    assert languages.count("en") >= 100
    assert all(languages.count(language) >= 15 for language in ("de", "es", "fr"))
    assert len({line["now"] for line in DATED}) >= 20
    assert len(MEMORIES) >= 120
    assert len(QUESTIONS) >= 60
    assert len({memory["language"] for memory in MEMORIES.values()}) >= 10
    assert {capture["role"] for exchange in EXCHANGES for capture in exchange["captures"]} == ROLES
    assert {entity["type"] for paragraph in PARAGRAPHS for entity in paragraph["entities"]} == ENTITY_TYPES
    assert {relation["type"] for paragraph in PARAGRAPHS for relation in paragraph["relations"]} == RELATION_TYPES


@pytest.mark.parametrize(
    ("folder", "counts"),
    [
        (LEARNING, [len(FIRST_EXCHANGES), len(FIRST_PARAGRAPHS)]),
        (LEARNING, [sum(len(exchange["captures"]) for exchange in FIRST_EXCHANGES)]),
        (LEARNING, [sum(len(exchange["chatter"]) for exchange in FIRST_EXCHANGES)]),
        (LEARNING, [sum(len(paragraph["entities"]) for paragraph in FIRST_PARAGRAPHS)]),
        (LEARNING, [sum(len(paragraph["relations"]) for paragraph in FIRST_PARAGRAPHS)]),
        (LEARNING.parent, [len(FOURTH_EXCHANGES), len(FOURTH_PARAGRAPHS)]),
        (DATES, [len(ORDINARY), len(DATED)]),
        (LANGUAGES, [len(MEMORIES), len(QUESTIONS)]),
    ],
)
def test_a_readme_gives_the_counts_of_its_files(folder, counts):
    words = (folder / "README.md").read_text(encoding="utf-8").split()
    assert all(str(count) in words for count in counts)
