"""Verbs that write: behind every door the same answer to the same arguments, and the same memories after it."""

import io
import json
import re
import sys
from contextlib import contextmanager

import pytest

pytest.importorskip("fastapi")

from starlette.testclient import TestClient

from noosphere.model.plain import plain
from noosphere.serve.app import make_server
from noosphere.serve.cli.entry import main
from noosphere.serve.verbs.call import call, document
from noosphere.serve.verbs.table import BY_NAME
from noosphere.testing.clocks import FrozenClock, SequentialIds
from noosphere.testing.minds import scratch_noosphere

MADE = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)")
SAID = "The kiln is cold 🚀 Đà Nẵng"
CASES = {
    "remember": {"text": "Tea at noon, in Huế", "tags": ["food"], "importance": "important"},
    "revise": {"id": "first", "text": "The kiln is hot", "value": "hot"},
    "append": {"id": "first", "text": "since noon"},
    "branch": {"id": "first", "text": "or it is broken"},
    "classify": {"id": "first", "importance": "critical", "add_tags": ["heat"]},
    "set_status": {"id": "first", "status": "canonical"},
    "link": {"src": "first", "type": "relates_to", "dst": "second", "weight": 0.5},
    "entity": {"name": "Kiln nine", "type": "tool"},
    "archive": {"id": "second"},
    "retire": {"id": "second"},
    "merge": {"ids": ["second", "third"], "text": "The roof is blue and steep"},
    "check": {"ids": ["first", "second"]},
    "upkeep": {"name": "compact", "limit": 10},
    "dedupe_entities": {"limit": 5},
    "forget": {"id": "second"},
    "undo": {"journal": "entry"},
    "identity.set": {"name": "Iris", "role": "smith"},
    "awareness.add": {"text": "mend the kiln", "priority": 7},
    "sessions.ensure": {"key": "monday", "title": "At the kiln"},
}
RUNS = {"upkeep", "dedupe_entities"}  # they answer with their run, which names its entries


@contextmanager
def seeded(home):
    """The same home every time, and what its parts are called."""
    with scratch_noosphere(home, clock=FrozenClock(), ids=SequentialIds()) as noosphere:
        with noosphere.changing() as mind:
            first = mind.remember(SAID, slot="kiln.state", value="cold").id
            second = mind.remember("The roof is blue").id
            third = mind.remember("The roof is steep").id
            entry = mind.journal(1)[0].id
        yield noosphere, {"first": first, "second": second, "third": third, "entry": entry}


def known(given, names):
    def named(value):
        return [named(item) for item in value] if isinstance(value, list) else names.get(value, value)

    return {name: value if isinstance(value, dict) else named(value) for name, value in given.items()}


def bare(value):
    """The answer without the ids and times that each home makes for itself."""
    return json.loads(MADE.sub("*", json.dumps(plain(value))))


def kept(noosphere):
    """What the mind holds afterwards."""
    with noosphere.mind() as mind:
        memories = sorted(hop.text for hop in mind.list_recent(100))
        # The command line has the clock of the machine, by which these are other sessions.
        counted = {name: value for name, value in bare(mind.stats()).items() if name != "sessions"}
        return memories, mind.tags(), counted, bare(mind.identity.get()), bare(mind.awareness.list())


def through_rest(noosphere, verb, given):
    method, _, path = verb.rest.partition(" ")
    sent = {name: value for name, value in given.items() if name not in verb.path_names}
    with TestClient(make_server(noosphere), base_url="http://127.0.0.1") as client:
        owner = json.loads((noosphere.settings.home / "tokens.json").read_text(encoding="utf-8"))["owner"]
        headers = {"Authorization": f"Bearer {owner['token']}"}
        how = {"json": sent} if method in ("POST", "PATCH") else {"params": sent}
        answer = client.request(method, path.format(**given), headers=headers, **how)
    assert answer.status_code < 300, answer.text
    return answer.json()


def through_command(home, verb, given, monkeypatch):
    left = dict(given)
    words = [left.pop(word[1:-1], word) if word.startswith("{") else word for word in verb.cli.split()]
    shown = [str(item) for word in words for item in (word if isinstance(word, list) else [word])]
    flags = [
        f"--{name.removesuffix('s').replace('_', '-')}={item}" if isinstance(value, list) else f"--{name}={item}"
        for name, value in left.items()
        for item in (value if isinstance(value, list) else [value])
    ]
    out = io.TextIOWrapper(io.BytesIO(), write_through=True)
    with monkeypatch.context() as patch:
        patch.setenv("NOOSPHERE_HOME", str(home))
        patch.setenv("NOOSPHERE_SEMANTIC", "off")
        patch.setattr(sys, "stdout", out)
        assert main([*shown, *flags, "--mind", "personal", "--json"]) == 0, out.buffer.getvalue()
    return json.loads(out.buffer.getvalue().decode())


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_writing_verb_answers_and_leaves_the_same_behind_every_door(name, tmp_path, monkeypatch):
    verb = BY_NAME[name]
    with seeded(tmp_path / "python") as (noosphere, names):
        answer = bare(document(call(noosphere, verb, known(CASES[name], names))))
        after = kept(noosphere)
    with seeded(tmp_path / "rest") as (noosphere, names):
        assert bare(through_rest(noosphere, verb, known(CASES[name], names))) == answer
        assert kept(noosphere) == after
    with seeded(tmp_path / "cli") as (_, names):
        given = known(CASES[name], names)
    told = bare(through_command(tmp_path / "cli", verb, given, monkeypatch))
    # Every command that changes something says its outcome, also where Python answers with the thing itself.
    assert {name: told[name] for name in told if name in answer and name != "channel"} == {
        name: answer[name] for name in answer if name != "channel"
    }
    assert ("outcome" in told) == (name not in RUNS)
    assert told.keys() - answer.keys() <= {"outcome"}
    with scratch_noosphere(tmp_path / "cli", clock=FrozenClock(), ids=SequentialIds()) as noosphere:
        assert kept(noosphere) == after
