"""Files of every format, damaged in every way: nothing raises, and nothing is lost without a word."""

import json

import pytest
from exports import member
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noosphere.harvest.adapters.detect import ADAPTERS
from noosphere.harvest.items import ImportItem, Left, Reject
from noosphere.harvest.opening import RECORDS
from noosphere.harvest.read import DEFECT, read_member

AT = "2026-05-14T10:03:00Z"


def lines(*records):
    return "\n".join(map(json.dumps, records)) + "\n"


def said(role, text):
    return {"role": role, "content": [{"type": "text", "text": text}]}


NODE = {
    "id": "n1",
    "parent": None,
    "children": ["n2"],
    "message": {
        "author": {"role": "user"},
        "create_time": 1.7e9,
        "content": {"content_type": "text", "parts": ["Which kettle?"]},
        "metadata": {"attachments": [{"id": "f1", "name": "a.png"}], "content_references": [{"matched_text": "x"}]},
    },
}
SEEDS = {
    "chatgpt.json": json.dumps([{"id": "c1", "title": "Kettle", "mapping": {"n1": NODE}, "current_node": "n1"}]),
    "claude.json": json.dumps(
        [{"uuid": "u", "name": "Kettle", "chat_messages": [
            {"uuid": "m", "sender": "human", "text": "Hi", "created_at": AT, "content": [{"type": "text"}]}
        ]}]
    ),
    "code.jsonl": lines(
        {"type": "user", "uuid": "a", "parentUuid": None, "sessionId": "s", "cwd": "/x", "timestamp": AT,
         "message": {"role": "user", "content": "Fix it"}},
        {"type": "assistant", "uuid": "b", "parentUuid": "a", "sessionId": "s", "timestamp": AT,
         "message": {"id": "m", **said("assistant", "Done.")}},
    ),
    "codex.jsonl": lines(
        {"timestamp": AT, "type": "session_meta", "payload": {"id": "s", "cwd": "/x"}},
        {"timestamp": AT, "type": "event_msg", "payload": {"type": "user_message", "message": "Fix it"}},
        {"timestamp": AT, "type": "response_item", "payload": {"type": "message", **said("assistant", "Done.")}},
    ),
    "cursor.json": json.dumps(
        {"composerId": "c", "name": "A", "conversation": [{"bubbleId": "b", "type": 1, "text": "Fix it"}]}
    ),
    "MyActivity.json": json.dumps(
        [{"header": "Gemini Apps", "title": "Prompted Hi", "time": AT, "products": ["Gemini Apps"],
          "safeHtmlItem": [{"html": "<p>Hello</p>"}], "titleUrl": "https://gemini.google.com/app/1"}]
    ),
    "studio.json": json.dumps({"chunkedPrompt": {"chunks": [{"role": "user", "text": "Hi"}, {"role": "model"}]}}),
    "perplexity.json": json.dumps(
        {"conversations": [{"context_uuid": "c", "context_title": "T", "entries": [{"query": "Q", "answer": "A"}]}]}
    ),
    "mem0.json": json.dumps({"results": [{"id": "1", "memory": "Likes tea", "user_id": "u", "created_at": AT}]}),
    "memory.jsonl": lines(
        {"type": "entity", "name": "Ann", "entityType": "person", "observations": ["likes tea"]},
        {"type": "relation", "from": "Ann", "to": "Bo", "relationType": "knows"},
    ),
    "chat.json": json.dumps({"id": "c", "messages": [said("user", "Hi"), said("assistant", "Hello")]}),
    "note.md": "---\ntitle: A\ntags: [x, y]\ndate: 2025-01-02\n---\n# A\n\nSee [[B|b]] and ![[c]].\n```\n---\n```\n",
    "call.txt": "[2026-05-14 10:03] Ann: Hi\nBo: Hello\nAnn: Bye\nBo: Bye\n",
    "page.html": "<html><head><title>A</title><base href='/'></head><body><p hidden>x</p><p>Words.</p></body></html>",
}  # fmt: skip
WRONG = st.sampled_from([None, True, 0, -1, 1e308, "", " ", [], {}, [None], [[]], {"a": None}, "\ud800", "\0", 10**30])
NOTHING = (b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\0" * 100, b"[]", b"{}", b"null", b"[" * 5000, b'{"a":' * 5000)


@st.composite
def changed(draw, value):
    """A JSON value with some of its parts put wrong, left out or doubled."""
    if draw(st.integers(0, 11)) == 0:
        return draw(WRONG)
    if isinstance(value, dict):
        kept = {name: draw(changed(inner)) for name, inner in value.items() if draw(st.integers(0, 14))}
        return kept | ({"more": draw(WRONG)} if draw(st.integers(0, 9)) == 0 else {})
    if isinstance(value, list):
        kept = [draw(changed(inner)) for inner in value]
        return kept * draw(st.sampled_from([1, 1, 1, 2])) + ([draw(WRONG)] if draw(st.integers(0, 9)) == 0 else [])
    return value


@st.composite
def damaged(draw, name):
    text = SEEDS[name]
    if draw(st.booleans()) and name.endswith(("json", "jsonl")):
        rows = text.splitlines() if text.count("\n") > 1 else [text]
        text = "\n".join(json.dumps(draw(changed(json.loads(row)))) for row in rows)
    encoding = draw(st.sampled_from(["utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1"]))
    data = text.encode(encoding, "replace")
    for way in draw(st.lists(st.sampled_from(["cut", "crlf", "flip", "twice", "drop", "blank"]), max_size=2)):
        place, other = sorted((draw(st.integers(0, len(data))), draw(st.integers(0, len(data)))))
        data = {
            "cut": data[:place],
            "crlf": data.replace(b"\n", b"\r\n"),
            "flip": data[:place] + bytes([draw(st.integers(0, 255))]) + data[place + 1 :],
            "twice": data + data,
            "drop": data[:place] + data[other:],
            "blank": b"\n \n" + data + b"\0",
        }[way]
    return data


def check(found):
    assert found
    for one in found:
        assert isinstance(one, ImportItem | Reject | Left)
        assert not (isinstance(one, Reject) and DEFECT in one.why)
        if isinstance(one, ImportItem):
            json.dumps(one.metadata)
            seen = set()
            for turn in one.turns:
                assert turn.key not in seen
                assert turn.parent is None or turn.parent in seen
                assert turn.text.strip()
                assert turn.speaker.strip()
                seen.add(turn.key)


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_a_sound_file_comes_in(name):
    found = list(read_member(member(f"export/{name}", SEEDS[name])))
    assert any(isinstance(one, ImportItem) for one in found)
    check(found)


@pytest.mark.parametrize("name", sorted(SEEDS))
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_damaged_file_of_any_format_costs_only_what_is_damaged(name, data):
    check(list(read_member(member(f"export/{name}", data.draw(damaged(name))))))


@pytest.mark.slow
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), name=st.sampled_from(sorted(SEEDS)), adapter=st.sampled_from(ADAPTERS))
def test_any_reader_takes_any_file(data, name, adapter):
    check(list(read_member(member(f"export/{name}", data.draw(damaged(name))), adapter)))


@pytest.mark.parametrize("data", NOTHING, ids=range(len(NOTHING)))
@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.md", "a.html", "a.txt", "a.pdf", "a"])
def test_a_file_with_nothing_in_it_is_told_of(name, data):
    check(list(read_member(member(name, data))))


@pytest.mark.parametrize("odd", [7, -1.5, "x", 'a "quoted" [', None, True, [], {}, {"x": {"y": 1}}, {"mapping": None}])
@pytest.mark.parametrize("name", ["chatgpt.json", "claude.json", "MyActivity.json"])
def test_an_odd_first_record_does_not_hide_what_the_file_is(name, odd):
    records = json.loads(SEEDS[name])
    whole = [one.id for one in read_member(member(name, json.dumps(records))) if isinstance(one, ImportItem)]
    found = list(read_member(member(name, json.dumps([odd, *records]))))
    assert whole
    assert [one.id for one in found if isinstance(one, ImportItem)] == whole


def test_numbers_and_words_before_a_record_take_no_time():
    for odd in ('["' + "a\\\\" * 100_000, "[" + "1," * 100_000, "[" + "{}," * 100_000 + "{", "[" + " " * 100_000):
        assert RECORDS.match(odd) is None or odd.startswith("[{}")
