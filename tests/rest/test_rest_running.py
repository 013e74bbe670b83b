"""The command `serve` as a process: it announces itself, and stops without breaking anything off."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from http.client import HTTPConnection
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from noosphere import open_noosphere
from noosphere.serve import presence
from noosphere.serve.hooks import near

COMMAND = Path(sys.executable).with_name("noosphere")


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("NOOSPHERE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "off")
    return tmp_path / "home"


@pytest.fixture
def server(home):
    """A server on a free port, and where it listens."""
    with subprocess.Popen([COMMAND, "serve", "--port", "0"], stderr=subprocess.PIPE, text=True) as process:
        until(lambda: (home / presence.FILE).exists() or process.poll() is not None)
        yield process, json.loads((home / presence.FILE).read_text(encoding="utf-8"))["port"]
        process.kill()


def until(happened):
    """Wait for it, half a minute at most."""
    tick = threading.Event()
    for _ in range(3000):
        if happened():
            return
        tick.wait(0.01)
    raise AssertionError("it did not happen")


def refuses(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_told_to_stop_ends_what_is_under_way_and_exits_0(home, server, told):
    process, port = server
    token = json.loads((home / "tokens.json").read_text(encoding="utf-8"))["owner"]["token"]
    body = json.dumps({"text": "the kiln is hot"}).encode()
    head = (
        f"POST /api/memories HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(head.encode())
        assert connection.recv(4096).startswith(b"HTTP/1.1 100")  # it is under way: the server waits for the body
        process.send_signal(told)
        until(lambda: refuses(port))
        connection.sendall(body)
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert b'"outcome":"stored"' in answer.replace(b" ", b"").lower()
    assert process.wait(30) == 0
    said = process.stderr.read()
    assert f"serving on http://127.0.0.1:{port}; tokens are in {home / 'tokens.json'}" in said
    assert "Traceback" not in said
    assert not (home / presence.FILE).exists()
    with open_noosphere() as noosphere, noosphere.mind() as mind:
        assert [hit.text for hit in mind.rank("kiln")] == ["the kiln is hot"]


def test_a_server_proves_itself_and_says_nothing_else_without_a_token(home, server):
    _, port = server
    assert near.ask(home, "/api/context", {"query": "kiln"}) is not None
    connection = HTTPConnection("127.0.0.1", port)
    for path, status in (("/proof", 422), ("/proof?nonce=x", 422), (f"/proof?nonce={'0' * 64}", 200)):
        connection.request("GET", path)
        answer = connection.getresponse()
        secret = json.loads((home / presence.FILE).read_text(encoding="utf-8"))["secret"]
        assert answer.status == status
        assert secret not in answer.read().decode()
    connection.close()


def test_a_port_that_is_taken_is_an_error_with_a_remedy_and_the_other_server_keeps_its_announcement(home, server):
    _, port = server
    before = (home / presence.FILE).read_bytes()
    done = subprocess.run(
        [COMMAND, "serve", "--port", str(port)], capture_output=True, text=True, check=False, env=os.environ
    )
    assert done.returncode == 3
    assert "--port" in done.stderr
    assert "serving on" not in done.stderr
    assert (home / presence.FILE).read_bytes() == before
