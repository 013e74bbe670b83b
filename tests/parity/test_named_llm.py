"""The language model that the settings name is asked behind every door that learns from an exchange."""

import io
import json
import sys

import anyio
import pytest

pytest.importorskip("fastapi")
pytest.importorskip("mcp")

from mcp.client.client import Client
from starlette.testclient import TestClient

from loopback import Answering, listening
from noosphere import open_noosphere
from noosphere.serve.app import make_server
from noosphere.serve.cli.entry import main
from noosphere.serve.mcp.server import MemoryServer

ODD = "Sadly nobody of the old crew is alive."
EXCHANGE = {"user": ODD, "assistant": "Oh."}
SORTED = {"turns": [{"turn": 0, "worth": "high", "domain": "personal"}]}
KEPT = {"sentence": 0, "role": "fact", "importance": "normal", "confidence": 0.9}
POINTS = {"keep": [KEPT], "names": [], "relations": [], "about": [], "contradicts": []}


@pytest.fixture
def home(tmp_path, monkeypatch):
    class Handler(Answering):
        def take(self, body):
            answer = POINTS if ODD[:5] in body["messages"][1]["content"] else POINTS | {"keep": []}
            if body["model"] == "quick":
                answer = SORTED
            message = {"content": json.dumps(answer)}
            usage = {"prompt_tokens": 9, "completion_tokens": 4}
            self.answer(200, json.dumps({"choices": [{"message": message}], "usage": usage}).encode())

    with listening(Handler) as url:
        for name, value in {
            "HOME": tmp_path / "home",
            "SEMANTIC": "off",
            "LLM": "ollama:tiny",
            "OLLAMA_URL": url,
        }.items():
            monkeypatch.setenv(f"NOOSPHERE_{name}", str(value))
        monkeypatch.chdir(tmp_path)
        yield tmp_path / "home"


@pytest.fixture
def typed(monkeypatch):
    """Call a command with something on standard input."""

    def call(said, *words):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(said).encode())))
        assert main(list(words)) == 0

    return call


def learnt_by_model(home):
    """What the personal mind keeps, and the calls of models it wrote down."""
    with open_noosphere(home) as noosphere, noosphere.mind("personal") as mind:
        with mind.reader.mind.read() as sql:
            calls = sql.execute("SELECT model, outcome, prompt_tokens FROM ai_interactions").fetchall()
        return [one.text for one in mind.list_recent(10)], set(calls)


WANTED = ([ODD], {("tiny", "done", 9)})


def test_python_asks_it(home):
    with open_noosphere() as noosphere:
        noosphere.cognify(EXCHANGE)
    assert learnt_by_model(home) == WANTED


def test_the_command_asks_it(home, typed):
    typed(EXCHANGE, "cognify", "--json")
    assert learnt_by_model(home) == WANTED


def test_the_hook_at_the_end_of_a_turn_asks_it(home, typed):
    turns = [{"key": role, "role": role, "text": EXCHANGE[role]} for role in ("user", "assistant")]
    typed({"session_id": "s1", "turns": turns}, "hook", "stop")
    assert learnt_by_model(home) == WANTED


def test_rest_asks_it(home):
    with open_noosphere() as noosphere, TestClient(make_server(noosphere), base_url="http://127.0.0.1") as client:
        owner = json.loads((home / "tokens.json").read_text(encoding="utf-8"))["owner"]
        client.headers["Authorization"] = f"Bearer {owner['token']}"
        assert client.post("/api/cognify", json=EXCHANGE).status_code < 300
    assert learnt_by_model(home) == WANTED


def test_the_tool_asks_it(home):
    async def ask(noosphere):
        async with Client(MemoryServer(noosphere).make()) as client:
            assert not (await client.call_tool("cognify", EXCHANGE)).is_error

    with open_noosphere() as noosphere:
        anyio.run(ask, noosphere)
    assert learnt_by_model(home) == WANTED


@pytest.fixture
def harvested(home, tmp_path, monkeypatch):
    """A turn that the rules learn nothing from, and two models named."""
    monkeypatch.setenv("NOOSPHERE_LLM_FAST", "ollama:quick")
    monkeypatch.setenv("NOOSPHERE_BACKGROUND", "false")
    talk = [{"role": "user", "content": ODD}, {"role": "assistant", "content": "Oh."}]
    (tmp_path / "talk.json").write_text(json.dumps({"id": "t", "messages": talk}), encoding="utf-8")
    with open_noosphere() as noosphere, noosphere.changing("personal") as mind:
        assert mind.harvest(tmp_path / "talk.json").added == 2
    return home


BOTH = ([ODD], {("tiny", "done", 9), ("quick", "done", 9)})


def test_python_asks_both_about_what_was_harvested(harvested):
    with open_noosphere() as noosphere, noosphere.changing("personal") as mind:
        assert mind.harvest.learn(llm=True).added == 1
    assert learnt_by_model(harvested) == BOTH


def test_the_command_asks_both_about_what_was_harvested(harvested):
    assert main(["harvest", "learn", "--model", "--json"]) == 0
    assert learnt_by_model(harvested) == BOTH


def test_rest_asks_both_about_what_was_harvested(harvested):
    with open_noosphere() as noosphere, TestClient(make_server(noosphere), base_url="http://127.0.0.1") as client:
        owner = json.loads((harvested / "tokens.json").read_text(encoding="utf-8"))["owner"]
        client.headers["Authorization"] = f"Bearer {owner['token']}"
        told = client.post("/api/harvest/learn?mind=personal", json={"model": True})
        assert told.status_code < 300, told.text
        assert told.json()["added"] == 1
    assert learnt_by_model(harvested) == BOTH


def test_the_tool_asks_both_about_what_was_harvested(harvested):
    async def ask(noosphere):
        async with Client(MemoryServer(noosphere).make()) as client:
            told = await client.call_tool("harvest", {"learn": "model", "mind": "personal"})
            assert not told.is_error, told
            assert told.structured_content["added"] == 1
            assert (await client.call_tool("harvest", {"mind": "personal"})).is_error

    with open_noosphere() as noosphere:
        anyio.run(ask, noosphere)
    assert learnt_by_model(harvested) == BOTH


def test_a_projects_file_may_not_name_one(home, tmp_path):
    (tmp_path / ".noosphere.toml").write_text('llm = "openai:theirs"\n', encoding="utf-8")
    with pytest.raises(ValueError, match="may not set llm"):
        open_noosphere()
