"""Chats of no known product: messages under the names people give to speakers and words."""

import json

import pytest
from exports import of_json, of_member

from noosphere.harvest.items import Omission, TurnRole

TALK = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]


@pytest.mark.parametrize("name", ["messages", "turns", "history", "conversation"])
def test_an_object_with_messages_is_a_conversation(name):
    found = of_json({"id": "t1", "title": "Talk", name: TALK}, "thread.json")
    assert (found.talk.id, found.talk.title, found.texts) == ("t1", "Talk", ["Hi", "Hello"])
    assert [turn.role for turn in found.talk.turns] == [TurnRole.USER, TurnRole.ASSISTANT]


def test_an_array_of_messages_is_one_conversation_and_an_array_of_talks_is_several():
    assert of_json(TALK, "a.json").texts == ["Hi", "Hello"]
    talks = [{"id": "a", "messages": TALK}, {"id": "b", "messages": TALK}]
    assert [talk.id for talk in of_json(talks, "b.json").talks] == ["a", "b"]
    assert [talk.id for talk in of_json({"conversations": talks}, "c.json").talks] == ["a", "b"]


def test_a_message_a_line_is_a_conversation():
    lines = [*map(json.dumps, TALK), "{cut", json.dumps({"type": "tool_result", "result": "secret"})]
    found = of_member("x.jsonl", "\n".join(lines))
    assert (found.texts, found.left, len(found.rejects)) == (["Hi", "Hello"], {Omission.TOOL_OUTPUT: 1}, 1)


@pytest.mark.parametrize(
    "message",
    [
        {"sender": "human", "text": "Hi"},
        {"from": "human", "value": "Hi"},
        {"author": {"role": "user"}, "content": {"parts": ["Hi"]}},
        {"type": "user", "content": ["Hi"]},
        {"type": "user.message", "prompt": "Hi"},
        {"role": "user", "content": {"role": "user", "content": "Hi"}},
    ],
)
def test_speakers_and_words_have_many_names(message):
    (turn,) = of_json({"messages": [message, {"role": "system", "content": "x"}]}, "x.json").talk.turns
    assert (turn.speaker, turn.text) == ("User", "Hi")


def test_people_keep_their_names():
    found = of_json({"dialogue": [{"speaker": "Ana", "text": "Hi"}, {"speaker": "Marko", "text": "Yes"}]}, "d.json")
    assert [(turn.speaker, turn.role) for turn in found.talk.turns] == [("Ana", None), ("Marko", None)]


def test_what_nobody_said_is_left_out():
    extras = [{"role": role, "content": "x"} for role in ("system", "tool", "function")]
    found = of_json({"messages": [*TALK, *extras, {"role": "assistant", "content": [{"type": "thinking"}]}]}, "x.json")
    assert found.texts == ["Hi", "Hello"]
    assert found.left[Omission.REASONING] == 1
    assert found.left[Omission.TOOL_OUTPUT] == 2


def test_a_sessions_program_lines_are_no_speech():
    messages = [{"type": kind, "content": "Some text"} for kind in ("info", "error", "warning")]
    found = of_json({"sessionId": "s", "messages": messages}, "s.json")
    assert found.left == {Omission.SYSTEM_MESSAGE: 3, Omission.EMPTY_CONVERSATION: 1}


def test_bad_messages_cost_only_themselves():
    found = of_json({"messages": [None, 3, {"text": "whose?"}, {"role": "user", "content": 5}, *TALK]}, "x.json")
    assert found.texts == ["Hi", "Hello"]
    assert len(found.rejects) == 4


@pytest.mark.parametrize(
    "value", [{"name": "pkg", "author": "N", "scripts": {}}, [{"a": 1}], {"messages": {"hi": "x"}}]
)
def test_other_json_is_no_chat(value):
    assert of_json(value, "package.json").left == {Omission.UNKNOWN_FILE: 1}


def test_what_stands_beside_the_words_of_a_message_is_counted():
    messages = [
        {"role": "user", "content": "Read this file"},
        {
            "role": "gemini",
            "content": "Let me read it.",
            "thoughts": [{"subject": "Planning"}, {"subject": "Reading"}],
            "toolCalls": [{"name": "read_file"}],
        },
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
    ]
    found = of_json({"messages": messages})
    assert found.texts == ["Read this file", "Let me read it."]
    assert found.left == {Omission.REASONING: 2, Omission.TOOL_CALL: 2, Omission.EMPTY_MESSAGE: 1}
