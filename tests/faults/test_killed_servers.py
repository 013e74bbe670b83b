"""Servers that are killed in the middle of writing: what they had answered is there for the next one, and is found."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("mcp")

from noosphere import Settings
from noosphere.minds import open_noosphere

pytestmark = pytest.mark.slow
COMMAND = str(Path(sys.executable).with_name("noosphere"))
ROUNDS, WRITERS, UNTIL = 3, 4, 25
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("NOOSPHERE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "off")
    return tmp_path / "home"


def told(text, number):
    call = {"name": "remember", "arguments": {"text": text}}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}) + "\n"


def over_mcp(_, texts):
    """What a server answered before it was killed, with more calls waiting in its pipe: texts by id."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([COMMAND, "mcp"], **pipes) as server:
        hello = {"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": HELLO}
        server.stdin.write(json.dumps(hello) + "\n" + "".join(told(text, n) for n, text in enumerate(texts)))
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(UNTIL)]
        server.kill()
        return {one["result"]["structuredContent"]["id"]: texts[one["id"]] for one in answers if one["id"] != "hello"}


def over_rest(home, texts):
    """The same over HTTP, with several clients at once."""
    from noosphere.serve import presence

    answered = {}

    def write(mine):
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
            try:
                for text in mine:
                    connection.request("POST", "/api/memories", json.dumps({"text": text}), headers)
                    answered[json.loads(connection.getresponse().read())["id"]] = text
                    if len(answered) >= UNTIL:
                        server.kill()
            except (OSError, HTTPException, ValueError):
                return  # it was killed

    (home / presence.FILE).unlink(missing_ok=True)
    with subprocess.Popen([COMMAND, "serve", "--port", "0"], stderr=subprocess.PIPE, text=True) as server:
        port = int(server.stderr.readline().partition("127.0.0.1:")[2].partition(";")[0])
        token = json.loads((home / "tokens.json").read_text(encoding="utf-8"))["owner"]["token"]
        with ThreadPoolExecutor(WRITERS) as threads:
            list(threads.map(write, [texts[n::WRITERS] for n in range(WRITERS)]))
        server.kill()
    return answered


@contextmanager
def reopened(home):
    with (
        open_noosphere(settings=Settings().override("argument", {"home": home, "semantic": "off"})) as noosphere,
        noosphere.mind() as mind,
    ):
        yield mind


@pytest.mark.parametrize("write", [over_mcp, over_rest])
def test_every_memory_that_a_killed_server_had_acknowledged_is_read_and_found_after_it(home, write):
    known = {}
    for turn in range(ROUNDS):
        texts = [f"bolt b{turn}x{number} is torqued to {number * 7 + turn}" for number in range(200)]
        answered = write(home, texts)
        assert UNTIL // 2 <= len(answered) < len(texts)
        known |= answered
    with reopened(home) as mind:
        assert {one: mind.get(one).text for one in known} == known
        for one, text in known.items():
            assert mind.rank(text.split()[1], 1)[0].id == one
        assert mind.doctor().healthy
        assert mind.stats().memories >= len(known)
