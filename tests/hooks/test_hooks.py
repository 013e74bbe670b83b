"""Hooks: what each event gets, and that nothing that goes wrong stops the agent's program."""

import io
import json
import re
import shlex
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from noosphere import open_noosphere
from noosphere.errors import InvalidInput
from noosphere.serve import presence
from noosphere.serve.cli.entry import main
from noosphere.serve.hooks import near
from noosphere.serve.hooks.install import install, installed, uninstall

HERE = Path(__file__).parent
COMMAND = Path(sys.executable).with_name("noosphere")
SECRET = "s"  # noqa: S105  (of nothing)
PAYLOADS = json.loads((HERE / "payloads.json").read_text(encoding="utf-8"))


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("NOOSPHERE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "off")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@pytest.fixture
def hook(home, monkeypatch, capsys):
    """Call a hook in this process with the payload of its event."""

    def call(event, payload=None, *words):
        given = json.dumps(PAYLOADS[event] if payload is None else payload) if not isinstance(payload, str) else payload
        given = given.replace("TRANSCRIPT", str(HERE / "transcript.jsonl"))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
        code = main(["hook", event, *words])
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else None, err

    return call


@pytest.fixture
def known(home):
    with open_noosphere() as noosphere, noosphere.changing() as mind:
        mind.remember("The staging database uses port 5433")
        mind.identity.set(name="Iris")
        mind.awareness.add("mend the roof")


def test_a_session_starts_with_who_at_what_and_what_is_new(hook, known):
    code, told, _ = hook("session-start")
    assert code == 0
    block = told["hookSpecificOutput"]
    assert block["hookEventName"] == "SessionStart"
    assert "name: Iris" in block["additionalContext"]
    assert "mend the roof" in block["additionalContext"]
    assert "What matters and what is new:\n- [" in block["additionalContext"]
    assert "5433" in block["additionalContext"]


def test_a_session_of_which_nothing_is_known_starts_with_nothing(hook, home):
    assert hook("session-start")[:2] == (0, None)


def test_a_prompt_gets_what_bears_on_it_and_not_again_who_and_at_what(hook, known):
    _, told, _ = hook("prompt-submit")
    text = told["hookSpecificOutput"]["additionalContext"]
    assert "The staging database uses port 5433" in text
    assert "Iris" not in text


def test_a_prompt_that_nothing_bears_on_gets_nothing(hook, known):
    assert hook("prompt-submit", {"session_id": "s", "prompt": "xqzzplf wubba"})[:2] == (0, None)
    assert hook("prompt-submit", {"session_id": "s", "prompt": " "})[:2] == (0, None)


def test_what_is_unsure_does_not_stand_beside_what_is_sure(hook, known, monkeypatch):
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "static")
    asked = PAYLOADS["prompt-submit"]["prompt"]
    with open_noosphere() as noosphere, noosphere.changing() as mind:
        mind.remember("Which one?")
        mind.flush()
        assert {hit.text: hit.sure for hit in mind.rank(asked)} == {
            "The staging database uses port 5433": True,
            "Which one?": False,
        }
        assert [hit.text for hit in mind.rank(asked, sure=True)] == ["The staging database uses port 5433"]
        assert [hit.sure for hit in mind.rank("xqzzplf", unsure=True, sure=True)] == [False, False]
    _, told, _ = hook("prompt-submit")
    assert "5433" in told["context"]
    assert "Which one?" not in told["context"]


@pytest.mark.parametrize("event", ["stop", "pre-compact"])
def test_what_was_said_is_recorded_once(hook, home, event):
    for _ in range(2):
        assert hook(event)[:2] == (0, None)
    with open_noosphere() as noosphere, noosphere.mind() as mind:
        assert mind.stats().turns == 2
        (hit,) = mind.rank("kiln Đà Nẵng", filters={"speaker": "user"})
        assert hit.text == "Which port does the kiln use? Đà Nẵng 🚀"
        assert hit.conversation == "agent:7b1d"
        assert mind.journal()[0].channel == "hook"


def test_the_generic_form_does_without_a_transcript(hook, home):
    turns = [
        {"key": "1", "role": "user", "text": "the kiln is hot"},
        {"key": "2", "role": "assistant", "text": "noted"},
    ]
    assert hook("stop", {"session": "x", "turns": turns})[0] == 0
    with open_noosphere() as noosphere, noosphere.mind() as mind:
        assert mind.stats().turns == 2


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("stop", "garbage"),
        ("stop", "[]"),
        ("stop", ""),
        ("nope", "{}"),
        ("stop", '{"session_id": "s", "transcript_path": "/nowhere/t.jsonl"}'),
    ],
)
def test_whatever_goes_wrong_the_program_goes_on(hook, event, payload):
    code, told, err = hook(event, payload)
    assert (code, told) == (0, None)
    assert err.startswith(f"noosphere hook {event}: ")
    assert re.search(r"\. (Give|Use|Check|Did)", err)
    assert "Error" not in err


def test_a_damaged_mind_stops_no_program(hook, home, known):
    for file in home.rglob("mind.db"):
        file.write_bytes(b"not a database" * 1000)
    code, told, err = hook("prompt-submit")
    assert (code, told) == (0, None)
    assert "is not a SQLite file. Give" in err


def test_the_hook_speaks_for_the_mind_it_was_told(hook, home):
    with open_noosphere() as noosphere:
        noosphere.workspaces.create("acme")
    hook("stop", None, "--mind", "acme")
    with open_noosphere() as noosphere, noosphere.mind("acme") as mind:
        assert mind.stats().turns == 2


def test_what_was_said_last_is_learnt_when_a_reply_is_done_and_once(hook, home):
    turns = [
        {"key": "1", "role": "user", "text": "We moved the kiln to the cellar on Monday. Can you note it?"},
        {"key": "2", "role": "assistant", "text": "Noted."},
        {"key": "3", "role": "user", "text": "I prefer short answers. What is next?"},
        {"key": "4", "role": "assistant", "text": "The root cause of the draught was a stale seal."},
    ]
    for _ in range(2):
        assert hook("stop", {"session": "x", "turns": turns})[0] == 0
    with open_noosphere() as noosphere, noosphere.personal() as mind:
        assert mind.stats().turns == 4
        kept = {hop.text for hop in mind.list_recent()}
        assert kept == {"I prefer short answers.", "The root cause of the draught was a stale seal."}
    hook("pre-compact", {"session": "y", "turns": [{**turn, "key": f"y{turn['key']}"} for turn in turns[:2]]})
    with open_noosphere() as noosphere, noosphere.personal() as mind:
        assert len(mind.list_recent()) == 2


@pytest.mark.parametrize("words", [(), ("--mind", "acme")], ids=["the personal mind", "a workspace"])
def test_what_could_be_better_stands_at_the_start_of_a_session_until_one_went_well(hook, home, words):
    with open_noosphere() as noosphere:
        noosphere.workspaces.create("acme")
    wish = "I wish you could open spreadsheets."

    def session(name, *said):
        pairs = [{"key": f"{name}{n}", "role": ("user", "assistant")[n % 2], "text": t} for n, t in enumerate(said)]
        for end in range(2, len(pairs) + 1, 2):
            assert hook("stop", {"session": name, "turns": pairs[:end]}, *words)[2] == ""

    def shown():
        return f"- [capability gap] {wish}" in hook("session-start", None, *words)[1]["context"]

    session("one", wish, "Sorry.", "Thanks.", "Sure.")
    assert shown()
    assert shown(), "nothing was said since"
    session("two", "Good morning.", "Good morning.")
    assert not shown()


@pytest.fixture
def served(home, known):
    """A server of this home that the hooks find, and its minds."""
    pytest.importorskip("fastapi")
    import uvicorn

    from noosphere.serve.app import make_server

    with open_noosphere(channel="rest") as noosphere:
        server = uvicorn.Server(uvicorn.Config(make_server(noosphere, secret=SECRET), port=0, log_level="error"))
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            thread.join(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        presence.announce(home, "127.0.0.1", port, SECRET)
        yield noosphere, port
        server.should_exit = True
        thread.join()
    assert near.ask(home, "/api/context", {}) is None


def test_a_running_server_is_asked_when_it_proves_itself(home, served):
    _, port = served
    presence.announce(home, "127.0.0.1", port, "other")
    assert near.ask(home, "/api/context", {"query": "staging database port"}) is None
    presence.announce(home, "127.0.0.1", port, SECRET)
    assert "5433" in near.ask(home, "/api/context", {"query": "staging database port"})["text"]
    payload = json.dumps(PAYLOADS["prompt-submit"])
    done = subprocess.run([COMMAND, "hook", "prompt-submit"], input=payload, capture_output=True, text=True, check=True)
    assert "5433" in json.loads(done.stdout)["context"]


def test_with_a_server_a_hook_opens_no_mind_and_gets_what_it_would_get_without(served, hook, monkeypatch):
    noosphere, _ = served
    noosphere.workspaces.create("acme")
    with noosphere.changing("acme") as mind:
        mind.remember("The staging database of acme is red")
    asked = [("session-start",), ("prompt-submit", None, "--mind", "acme"), ("prompt-submit",)]
    with monkeypatch.context() as patch:
        patch.setattr("noosphere.minds.open_noosphere", None)
        there = [hook(*words)[1]["context"] for words in asked]
    assert "acme is red" in there[1]
    assert "acme" not in there[2]
    with monkeypatch.context() as patch:
        patch.setattr(near, "ask", lambda *_: None)
        alone = [hook(*words)[1]["context"] for words in asked]
    fence = re.compile("<.*")  # which mind is active, and so comes first, is the server's affair
    assert [sorted(fence.sub("", text).split("\n")) for text in there] == [
        sorted(fence.sub("", text).split("\n")) for text in alone
    ]


def test_installing_twice_is_installing_once_and_others_hooks_stay(tmp_path):
    path = tmp_path / "settings.json"
    theirs = {"hooks": [{"type": "command", "command": "lint"}]}
    before = json.dumps({"model": "x", "hooks": {"Stop": [theirs]}})
    path.write_text(before, encoding="utf-8")
    change = install(path)
    assert "+" in change.diff
    assert path.read_text(encoding="utf-8") == before
    copy = change.apply()
    assert copy.read_text(encoding="utf-8") == before
    assert installed(path) == ["session-start", "prompt-submit", "stop", "pre-compact"]
    settings = json.loads(path.read_text(encoding="utf-8"))
    assert settings["model"] == "x"
    assert theirs in settings["hooks"]["Stop"]
    assert install(path).diff == ""
    later = uninstall(path).apply()
    assert json.loads(path.read_text(encoding="utf-8")) == json.loads(before)
    assert installed(path) == []
    assert uninstall(path).diff == ""
    assert installed(later) == ["session-start", "prompt-submit", "stop", "pre-compact"]
    assert copy.read_text(encoding="utf-8") == before


def test_the_hooks_use_the_home_the_mind_and_the_actor_that_they_were_installed_for(home, tmp_path, capsys):
    path = tmp_path / "settings.json"
    said = ["--home", "a home", "--mind", "acme", "--actor", "claude"]
    assert main(["hooks", "install", "--settings", str(path), "--yes", *said]) == 0
    (entry,) = json.loads(path.read_text(encoding="utf-8"))["hooks"]["Stop"]
    words = shlex.split(entry["hooks"][0]["command"])
    assert words[1:] == ["hook", "stop", "--home", str(tmp_path / "a home"), "--mind", "acme", "--actor", "claude"]
    assert main(["hooks", "install", "--settings", str(path), "--yes", *said]) == 0
    assert "nothing to change" in capsys.readouterr().out
    assert main(["hooks", "uninstall", "--settings", str(path), "--yes"]) == 0
    assert installed(path) == []


def test_a_mind_named_by_a_relative_path_is_the_same_mind_from_anywhere(home, tmp_path):
    path = tmp_path / "settings.json"
    assert main(["hooks", "install", "--settings", str(path), "--yes", "--mind", "minds/a.db"]) == 0
    (entry,) = json.loads(path.read_text(encoding="utf-8"))["hooks"]["Stop"]
    assert shlex.split(entry["hooks"][0]["command"])[-2:] == ["--mind", str(tmp_path / "minds" / "a.db")]


@pytest.mark.parametrize("place", ["bin", "a folder/bin"])
def test_the_hooks_of_an_environment_are_installed_by_their_path_and_run_from_anywhere(tmp_path, monkeypatch, place):
    folder = tmp_path / place
    folder.mkdir(parents=True)
    (folder / "noosphere").symlink_to(COMMAND)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    path = tmp_path / "settings.json"
    install(path).apply()
    assert install(path).diff == ""
    (entry,) = json.loads(path.read_text(encoding="utf-8"))["hooks"]["SessionStart"]
    command = entry["hooks"][0]["command"]
    env = {"PATH": "/usr/bin:/bin", "NOOSPHERE_HOME": str(tmp_path / "home"), "NOOSPHERE_SEMANTIC": "off"}
    done = subprocess.run(["sh", "-c", command], input="{}", capture_output=True, text=True, check=True, env=env)  # noqa: S607
    assert (done.stdout, done.stderr) == ("", "")
    uninstall(path).apply()
    assert installed(path) == []


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        ("noosphere hook stop", True),
        ("/opt/x/bin/noosphere hook stop", True),
        ("'/opt/a b/bin/noosphere' hook stop", True),
        ("C:\\x\\Scripts\\noosphere.exe hook stop", True),
        ("noosphere remember x", False),
        ("my-noosphere hook stop", False),
        ("echo noosphere hook stop", False),
        ("lint", False),
    ],
)
def test_only_our_own_hooks_are_taken_out(tmp_path, command, ours):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}}))
    assert (installed(path) == ["stop"]) == ours


def test_settings_that_cannot_be_read_are_left_alone(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text("{oops", encoding="utf-8")
    for ask in (install, uninstall, installed):
        with pytest.raises(InvalidInput, match="nothing was changed"):
            ask(path)
    assert path.read_text(encoding="utf-8") == "{oops"
