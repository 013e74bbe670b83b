"""Codex rollouts of every generation: what was said is counted once, and context never as speech."""

import json

import pytest
from exports import of_member

from noosphere.harvest.items import Omission

META = {"type": "session_meta", "payload": {"id": "r1", "cwd": "/home/dev/app", "cli_version": "0.146.0"}}


def wrapped(kind, **payload):
    return {"timestamp": "2026-01-15T10:00:00.000Z", "type": kind, "payload": payload}


def said(role, text):
    block = "output_text" if role == "assistant" else "input_text"
    return wrapped("response_item", type="message", role=role, content=[{"type": block, "text": text}])


def event(kind, message):
    return wrapped("event_msg", type=kind, message=message)


def of_lines(*lines):
    return of_member("rollout.jsonl", "\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines))


def test_words_that_are_told_twice_count_once():  # pitfall 46
    found = of_lines(
        META,
        event("user_message", "yes"),
        said("user", "yes"),
        said("assistant", "Done."),
        event("agent_message", "Done."),
        said("user", "yes"),
        event("user_message", "yes"),
    )
    assert found.texts == ["yes", "Done.", "yes"]
    assert [turn.speaker for turn in found.talk.turns] == ["User", "Codex", "User"]
    assert found.left[Omission.REPEATED_MESSAGE] == 3
    assert (found.talk.id, found.talk.source, found.talk.metadata["cwd"]) == ("r1", "codex", "/home/dev/app")


@pytest.mark.parametrize(
    "context",
    [
        "<environment_context><cwd>/tmp</cwd></environment_context>",
        "# AGENTS.md instructions for /tmp\n\n<INSTRUCTIONS>\nBe brief\n</INSTRUCTIONS>",
        "<user_instructions>Be brief</user_instructions>",
        "<turn_aborted>interrupted</turn_aborted>",
    ],
)
def test_context_before_the_words_is_not_said(context):  # pitfall 46
    found = of_lines(META, said("user", context), said("user", "Hi"))
    assert (found.texts, found.left[Omission.HIDDEN_MESSAGE]) == (["Hi"], 1)


def test_tools_reasoning_and_developers_are_left_out():
    items = [
        wrapped("response_item", type="function_call", name="shell", arguments="{}"),
        wrapped("response_item", type="custom_tool_call_output", output="a.txt"),
        wrapped("response_item", type="reasoning", summary=[]),
        wrapped("response_item", type="message", role="developer", content=[{"type": "input_text", "text": "Rules"}]),
        wrapped("compacted", message="So far", replacement_history=[]),
    ]
    found = of_lines(META, said("user", "Hi"), *items)
    assert found.texts == ["Hi"]
    expected = (Omission.TOOL_CALL, Omission.TOOL_OUTPUT, Omission.REASONING, Omission.SYSTEM_MESSAGE)
    assert [found.left[what] for what in expected] == [1, 1, 1, 1]


def test_the_oldest_rollouts_have_their_messages_at_the_top():  # pitfall 46
    head = {"id": "old", "timestamp": "2025-05-01T10:00:00Z", "instructions": "Be brief"}
    user = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]}
    call = {"type": "function_call", "name": "shell", "arguments": "{}"}
    found = of_lines(head, {"record_type": "state"}, user, call, {"type": "function_call_output", "output": "x"})
    assert (found.talk.id, found.texts) == ("old", ["Hi"])


def test_a_session_without_words_is_counted():
    assert of_lines(META, wrapped("event_msg", type="token_count")).left[Omission.EMPTY_CONVERSATION] == 1


def test_broken_lines_cost_only_themselves():
    found = of_lines(META, "{broken", said("user", "Hi"), wrapped("response_item", type="message", role="user"))
    assert found.texts == ["Hi"]
    assert sorted(one.what for one in found.rejects) == ["line 2", "line 4"]


def test_a_rollout_is_known_though_its_instructions_are_longer_than_what_is_looked_at():
    meta = {"type": "session_meta", "payload": {"id": "r1", "instructions": "Be brief. " * 20_000}}
    found = of_lines(meta, said("user", "Fix it"), said("assistant", "Done."))
    assert (found.talk.source, found.talk.id, found.texts) == ("codex", "r1", ["Fix it", "Done."])
