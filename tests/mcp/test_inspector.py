"""The protocol's own inspector, a client by other hands in another language, drives the installed server.

It comes from npm, which takes most of a minute; NOOSPHERE_INSPECTOR names a folder that has it already.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from stdio_command import COMMAND

PACKAGE = "@modelcontextprotocol/inspector@2.12.0"
SAID = "Hẹn gặp ở Đà Nẵng 🚀"

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm on this machine"),
]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The inspector's command line."""
    folder = Path(os.environ.get("NOOSPHERE_INSPECTOR") or tmp_path_factory.mktemp("inspector"))
    found = folder / "node_modules" / ".bin" / "mcp-inspector"
    if not found.exists():
        npm = [shutil.which("npm"), "install", "--no-fund", "--no-audit", "--silent", PACKAGE]
        subprocess.run(npm, cwd=folder, check=True, timeout=280)
    return str(found)


@pytest.fixture
def inspect(program, tmp_path):
    """Ask the server over standard input and output, and read what the inspector makes of the answer."""
    env = {**os.environ, "NOOSPHERE_HOME": str(tmp_path / "home"), "NOOSPHERE_SEMANTIC": "off"}

    def ask(method, *words):
        call = [program, "--cli", COMMAND, "mcp", "--method", method, *words]
        done = subprocess.run(call, capture_output=True, text=True, env=env, check=False, timeout=100)
        assert done.stdout.startswith("{"), done.stderr
        answer = json.loads(done.stdout)
        assert done.returncode in ({0, 5} if answer.get("isError") else {0}), (
            done.stderr
        )  # newer ones end an error with 5
        return answer

    def tool(name, **given):
        arguments = [part for key, value in given.items() for part in ("--tool-arg", f"{key}={value}")]
        return ask("tools/call", "--tool-name", name, *arguments)

    ask.tool = tool
    return ask


def test_the_inspector_lists_what_there_is(inspect):
    tools = inspect("tools/list")["tools"]
    assert {"remember", "recall", "forget", "harvest"} <= {tool["name"] for tool in tools}
    assert all(tool["inputSchema"]["type"] == tool["outputSchema"]["type"] == "object" for tool in tools)
    assert "memory://identity" in {one["uri"] for one in inspect("resources/list")["resources"]}
    assert [one["name"] for one in inspect("prompts/list")["prompts"]] == ["catch_up"]


def test_the_inspector_stores_reads_and_forgets(inspect):
    stored = inspect.tool("remember", text=SAID)["structuredContent"]
    found = inspect.tool("recall", query="Đà Nẵng")
    assert [hit["text"] for hit in found["structuredContent"]["hits"]] == [SAID]
    assert SAID in found["content"][0]["text"]
    assert inspect.tool("forget", id=stored["id"])["structuredContent"]["outcome"] == "forgotten"
    assert inspect.tool("recall", query="Đà Nẵng")["structuredContent"]["hits"] == []


def test_the_inspector_is_told_of_a_wrong_call(inspect):
    told = inspect.tool("get", id="nope")
    assert told["isError"]
    assert "Ids look like" in told["content"][0]["text"]
