"""Lines that are no message as the SDK wants it: half characters come in, and nobody waits for an answer in vain."""

import json
import os
import subprocess

import mcp_types as types
import pytest
from mcp.shared.message import SessionMessage
from pydantic import ValidationError
from stdio_command import COMMAND

from noosphere.model.text import whole_escapes
from noosphere.serve.mcp.incoming import read_again

HELLO = {
    "jsonrpc": "2.0",
    "id": "hello",
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


def again(line):
    with pytest.raises(ValidationError) as refused:
        types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    return read_again(refused.value)


def asking(text, number=7):
    told = {"jsonrpc": "2.0", "id": number, "method": "tools/call"}
    return json.dumps({**told, "params": {"name": "remember", "arguments": {"text": text}}})


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        (r'"a\ud83d"', r'"a\ufffd"'),
        (r'"\ude00 \uD83D\u0041"', r'"\ufffd \ufffd\u0041"'),
        (r'"\ud83d\ude00 \uD83D\uDE00"', r'"\ud83d\ude00 \uD83D\uDE00"'),
        (r'"\\ud83d \\\ud83d"', r'"\\ud83d \\\ufffd"'),
        (r'"\ud55c\ud7a3"', r'"\ud55c\ud7a3"'),
        ("plain 🚀", "plain 🚀"),
    ],
)
def test_only_escapes_of_half_characters_are_replaced(line, whole):
    assert whole_escapes(line) == whole


def test_a_call_with_half_a_character_is_read_with_it_so_that_the_repair_is_said():
    told = again(asking("cut \ud83d"))
    assert isinstance(told, SessionMessage)
    assert (told.message.id, told.message.params["arguments"]["text"]) == (7, "cut \ud83d")
    assert again("\ufeff" + asking("plain")).message.id == 7


@pytest.mark.parametrize(
    ("line", "code", "id"),
    [
        ("no json", types.PARSE_ERROR, None),
        (asking("x")[:-1], types.PARSE_ERROR, 7),
        ('{"method": "tools/call", "params": {"id": 3, "a": nope}, "jsonrpc": "2.0", "id": "c9"}', -32700, "c9"),
        (asking("x", 12).replace('"x"', "[" * 3000 + "]" * 3000), types.PARSE_ERROR, 12),
        (asking("\ud83d").replace('"text"', "text"), types.PARSE_ERROR, 7),
        ("[]", types.INVALID_REQUEST, None),
        ('{"jsonrpc": "2.0", "id": 5, "method": 6}', types.INVALID_REQUEST, 5),
        ('{"jsonrpc": "2.0", "id": true, "method": 6}', types.INVALID_REQUEST, None),
    ],
)
def test_what_is_no_message_is_answered_with_its_id_and_what_to_send(line, code, id):
    told = again(line)
    assert (told.id, told.error.code) == (id, code)
    assert told.error.message.endswith("Send one JSON-RPC 2.0 message a line, in UTF-8, nested less than 200 deep")


def test_a_blank_line_is_no_call():
    assert again("  ") is None


@pytest.mark.slow
def test_a_server_answers_every_line_that_it_is_sent(tmp_path):
    env = {**os.environ, "NOOSPHERE_HOME": str(tmp_path / "home"), "NOOSPHERE_SEMANTIC": "off"}
    lines = [json.dumps(HELLO), "", "no json", asking("cut \ud83d", 1), asking("and \U0001f680", 2), "[]"]
    with subprocess.Popen(
        [COMMAND, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, text=True
    ) as server:
        server.stdin.write("\n".join(lines) + "\n")
        server.stdin.flush()
        answers = {str(one["id"]): one for one in (json.loads(server.stdout.readline()) for _ in range(5))}
        server.stdin.close()
    assert set(answers) == {"hello", "None", "1", "2"}
    stored = answers["1"]["result"]["structuredContent"]
    assert (stored["outcome"], stored["repairs"]) == ("stored", ["replaced 1 lone surrogate by U+FFFD"])
    assert answers["2"]["result"]["structuredContent"]["repairs"] == []


def test_the_prompt_of_a_topic_with_half_a_character_is_whole(noosphere):
    from noosphere.serve.mcp import resources

    resources.catch_up(noosphere, "kiln \udfff").encode()
