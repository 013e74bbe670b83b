"""Asking a server: a token goes only to who proves that it is the server which announced itself."""

import json
import socket
import stat
import threading
from contextlib import contextmanager

import pytest

from noosphere.serve import presence
from noosphere.serve.hooks import near

TOKEN = "the-token-of-the-owner"  # noqa: S105  (of nothing)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: %s\r\n\r\n"


@pytest.fixture
def home(tmp_path):
    (tmp_path / "tokens.json").write_text(json.dumps({"owner": {"token": TOKEN, "scope": "admin"}}), encoding="utf-8")
    return tmp_path


@contextmanager
def listener(*answers, hang_up=False):
    """A program that answers each request with the next of these, and keeps what it was sent."""
    heard = []

    def serve():
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            with connection:
                while data := connection.recv(65536):
                    heard.append(data)
                    if len(heard) > len(answers):
                        break
                    body = answers[len(heard) - 1](data.decode())
                    connection.sendall(HEAD % (len(body), b"close" if hang_up else b"keep-alive") + body)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server.getsockname()[1], heard
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


def said(value):
    return lambda _: json.dumps(value).encode()


def proven(request):
    nonce = request.split("nonce=")[1].split(" ")[0]
    return json.dumps({"proof": presence.proof("secret", nonce)}).encode()


@pytest.mark.parametrize(
    "answer",
    [
        said({"proof": ""}),
        said({"proof": "0" * 64}),
        said({"proof": presence.proof("another", "x")}),
        said({"text": "hello"}),
        said([]),
        lambda _: b"<html>",
    ],
)
def test_a_program_that_took_the_port_is_sent_no_token(home, answer):
    with listener(answer, answer) as (port, heard):
        presence.announce(home, "127.0.0.1", port, "secret")
        assert near.ask(home, "/api/context", {"query": "what is my passphrase"}) is None
    assert len(heard) == 1
    assert TOKEN.encode() not in heard[0]
    assert b"passphrase" not in heard[0]
    assert b"secret" not in heard[0]


def test_who_proves_itself_is_sent_the_token_over_the_same_connection(home):
    with listener(proven, said({"text": "known"})) as (port, heard):
        presence.announce(home, "127.0.0.1", port, "secret")
        assert near.ask(home, "/api/context", {"query": "q"}) == {"text": "known"}
    assert TOKEN.encode() not in heard[0]
    assert f"Authorization: Bearer {TOKEN}".encode() in heard[1]


def test_a_connection_that_ended_after_the_proof_is_not_opened_again(home):
    with listener(proven, hang_up=True) as (port, heard):
        presence.announce(home, "127.0.0.1", port, "secret")
        assert near.ask(home, "/api/context", {"query": "q"}) is None
    assert TOKEN.encode() not in b"".join(heard)


def test_every_question_has_a_nonce_of_its_own(home):
    with listener(said({"proof": "x"}), said({"proof": "x"})) as (port, heard):
        presence.announce(home, "127.0.0.1", port, "secret")
        for _ in range(2):
            assert near.ask(home, "/api/context", {}) is None
    assert heard[0].split(b"\r\n")[0] != heard[1].split(b"\r\n")[0]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"host": "127.0.0.1", "port": 1}', '{"secret": ""}'])
def test_an_announcement_that_says_too_little_is_none(home, content):
    (home / presence.FILE).write_text(content, encoding="utf-8")
    assert near.ask(home, "/api/context", {}) is None


def test_only_the_owner_reads_the_announcement(home):
    presence.announce(home, "127.0.0.1", 1, "secret")
    assert stat.S_IMODE((home / presence.FILE).stat().st_mode) == 0o600
    assert [path.name for path in home.iterdir() if path.name != "tokens.json"] == [presence.FILE]


def test_a_server_takes_back_only_its_own_announcement(home):
    presence.announce(home, "127.0.0.1", 1, "mine")
    presence.withdraw(home, "another's")
    assert (home / presence.FILE).exists()
    presence.withdraw(home, "mine")
    assert not (home / presence.FILE).exists()
    presence.withdraw(home, "mine")
