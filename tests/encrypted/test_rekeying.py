"""Changing the key of a home: by command, from the keyring, and killed at every step."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError
from locked import KEY, QUIET

from noosphere import InvalidInput, Settings, WrongKey, open_mind, open_noosphere
from noosphere.minds import keys
from noosphere.serve.cli.entry import main

CHILD = Path(__file__).with_name("rekeying_child.py")
NEW = "the key from now on"


class InMemory(KeyringBackend):
    """A keyring that forgets."""

    priority = 1

    def __init__(self):
        super().__init__()
        self.kept = {}

    def get_password(self, service, username):
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        self.kept[service, username] = password

    def delete_password(self, service, username):
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError(username)


@pytest.fixture
def ring():
    before = keyring.get_keyring()
    keyring.set_keyring(InMemory())
    yield keyring.get_keyring()
    keyring.set_keyring(before)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home with two minds that are not encrypted."""
    for name in ("KEY", "NEW_KEY", "KEY_FROM", "MIND"):
        monkeypatch.delenv(f"NOOSPHERE_{name}", raising=False)
    monkeypatch.setenv("NOOSPHERE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "off")
    monkeypatch.chdir(tmp_path)
    with open_noosphere(settings=Settings(home=tmp_path / "home", semantic="off", background=False)) as noosphere:
        noosphere.workspaces.create("acme")
        with noosphere.changing("acme") as mind:
            mind.remember("the haystack of acme")
        with noosphere.personal() as mind:
            mind.remember("the haystack at home")
    return tmp_path / "home"


def told(capsys, *words):
    """What a command answers, as JSON."""
    code = main([*words, "--json"])
    said = capsys.readouterr()
    return code, json.loads(said.out)


def minds(home):
    return sorted(str(path) for path in home.glob("minds/*/mind.db"))


def test_the_command_encrypts_every_mind_and_takes_it_back(home, capsys, monkeypatch):
    monkeypatch.setenv("NOOSPHERE_NEW_KEY", KEY)
    code, answer = told(capsys, "rekey")
    assert (code, answer["encrypted"], sorted(answer["minds"])) == (0, True, minds(home))
    assert not [path for path in minds(home) if b"haystack" in Path(path).read_bytes()]
    code, answer = told(capsys, "recall", "haystack", "--mind", "acme")
    assert (code, answer["error"]["type"]) == (3, "WrongKey")
    monkeypatch.setenv("NOOSPHERE_KEY", KEY)
    code, answer = told(capsys, "recall", "haystack", "--mind", "acme")
    assert "acme" in json.dumps(answer)
    code, answer = told(capsys, "rekey")
    assert (code, answer["minds"], sorted(answer["already"])) == (0, [], minds(home))
    code, answer = told(capsys, "rekey", "--off")
    assert (code, answer["encrypted"], sorted(answer["minds"])) == (0, False, minds(home))
    monkeypatch.delenv("NOOSPHERE_KEY")
    assert told(capsys, "recall", "haystack", "--mind", "personal")[0] == 0


def test_one_mind_of_a_home_gets_a_key(home, capsys, monkeypatch):
    monkeypatch.setenv("NOOSPHERE_NEW_KEY", KEY)
    code, answer = told(capsys, "rekey", "--mind", minds(home)[0])
    assert (code, answer["minds"]) == (0, minds(home)[:1])
    code, answer = told(capsys, "rekey", "--mind", "nobody")
    assert (code, answer["error"]["type"]) == (2, "NotFound")


def test_the_keyring_of_the_system_holds_the_key(home, capsys, monkeypatch, ring):
    monkeypatch.setenv("NOOSPHERE_KEY_FROM", "keyring")
    code, answer = told(capsys, "recall", "haystack", "--mind", "personal")
    assert (code, answer["error"]["type"]) == (2, "InvalidInput")
    monkeypatch.setenv("NOOSPHERE_NEW_KEY", KEY)
    assert told(capsys, "rekey")[1]["encrypted"]
    assert list(ring.kept.values()) == [KEY]
    assert told(capsys, "recall", "haystack", "--mind", "personal")[0] == 0
    monkeypatch.setenv("NOOSPHERE_NEW_KEY", NEW)
    assert sorted(told(capsys, "rekey")[1]["minds"]) == minds(home)
    assert list(ring.kept.values()) == [NEW]
    assert told(capsys, "rekey", "--off")[0] == 0
    assert ring.kept == {}


def test_a_new_key_is_asked_for_twice_and_only_at_a_terminal(monkeypatch):
    monkeypatch.delenv("NOOSPHERE_NEW_KEY", raising=False)
    monkeypatch.setattr(sys, "stdin", type("Piped", (), {"isatty": lambda _: False})())
    with pytest.raises(InvalidInput, match="without a terminal"):
        keys.new()
    monkeypatch.setattr(sys, "stdin", type("Terminal", (), {"isatty": lambda _: True})())
    typed = iter([NEW, NEW, NEW, "another one"])
    monkeypatch.setattr(keys, "getpass", lambda _: next(typed))
    assert keys.new() == NEW
    with pytest.raises(InvalidInput, match="two different ways"):
        keys.new()


@pytest.mark.parametrize("step", ["held", "copied", "changed", "checked", "done"])
@pytest.mark.parametrize("old", [KEY, None])
def test_a_kill_at_any_step_leaves_the_mind_whole_under_the_one_key_or_the_other(unlocked, tmp_path, step, old):
    path = tmp_path / "mind.db"
    with unlocked(path, key=old) as mind:
        mind.remember_many([f"needle{n}x" for n in range(50)])
    child = subprocess.Popen(
        [sys.executable, str(CHILD), str(path), old or "", NEW, step], stdout=subprocess.PIPE, stdin=subprocess.PIPE
    )
    assert child.stdout.readline().decode().strip() == step
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert child.returncode == -signal.SIGKILL
    now = NEW if step == "done" else old
    with pytest.raises(WrongKey):
        unlocked(path, key=old if step == "done" else NEW)
    with unlocked(path, key=now) as mind:
        assert len(mind.rank("needle7x")) > 0
        assert mind.doctor().healthy
    subprocess.run(
        [sys.executable, str(CHILD), str(path), old or "", NEW, "never"], check=True, stdin=subprocess.DEVNULL
    )
    assert {p.name for p in tmp_path.iterdir()} <= {"mind.db", "mind.db-wal", "mind.db-shm"}
    with open_mind(path, key=NEW, settings=QUIET.override("test", {"semantic": "off"})) as mind:
        assert mind.stats().memories == 50
