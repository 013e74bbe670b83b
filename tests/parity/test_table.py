"""The table of verbs against the doors: nothing is missing or called otherwise, and the answers are the same."""

import inspect
import io
import json
import sys
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from types import FunctionType

import anyio
import pytest

pytest.importorskip("fastapi")
pytest.importorskip("mcp")

from mcp.client.client import Client
from starlette.testclient import TestClient

from noosphere import Draft, Filters, Mind, Noosphere, Turn
from noosphere.model.plain import plain
from noosphere.serve.app import make_server
from noosphere.serve.cli.app import make_command
from noosphere.serve.cli.entry import main
from noosphere.serve.mcp.catalogue import catalogue
from noosphere.serve.mcp.server import MemoryServer
from noosphere.serve.verbs.answer import schema_of
from noosphere.serve.verbs.call import call
from noosphere.serve.verbs.glossary import DRAFT, FILTERS
from noosphere.serve.verbs.table import BY_NAME, NOT_VERBS, VERBS
from noosphere.serve.verbs.verb import Empty
from noosphere.testing.clocks import FrozenClock, SequentialIds
from noosphere.testing.minds import scratch_noosphere

# Commands that are no verbs: they start doors, or work on files beside a mind.
NO_VERBS = {"mcp", "serve", "hook", "hooks install", "hooks uninstall", "hooks status"}
NO_VERBS |= {"restore", "import", "salvage", "rekey"}  # they take files, and no open mind
OTHERWISE = {"milliseconds", "origin", "settings", "text", "use_count", "last_used_at", "outcome", "steps"}
READS = [verb for verb in VERBS if verb.scope == "read" and not isinstance(verb.cli, Empty)]


def walk(group=None, before=()):
    for name, found in (group or make_command()).commands.items():
        if hasattr(found, "commands"):
            yield from walk(found, (*before, name))
        else:
            yield " ".join((*before, name))


def public(owner, kind):
    for name, value in vars(kind).items():
        if name.startswith("_"):
            continue
        if isinstance(value, (FunctionType, property)):
            yield f"{owner}.{name}"


def test_every_public_verb_of_python_has_a_row_or_a_reason():
    rows = {verb.python for verb in VERBS} | {verb.python.rpartition(".")[0] for verb in VERBS}
    told = {"mind.path", "mind.uuid", "noosphere.active"}
    missing = {*public("mind", Mind), *public("noosphere", Noosphere)} - rows - set(NOT_VERBS) - told
    assert missing == set()


def test_every_command_is_a_verb_of_the_table_and_every_verb_a_command():
    typed = {verb.cli.partition(" {")[0] for verb in VERBS if not isinstance(verb.cli, Empty)}
    assert typed | NO_VERBS == set(walk())


def test_every_tool_of_the_table_is_offered():
    assert {verb.tool for verb in VERBS if not isinstance(verb.tool, Empty)} == set(catalogue())


def test_names_and_routes_are_given_once():
    assert len(BY_NAME) == len(VERBS)
    routes = [verb.rest for verb in VERBS if not isinstance(verb.rest, Empty)]
    assert len(set(routes)) == len(routes)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_a_row_is_whole(verb):
    assert set(verb.needs) <= set(verb.takes)
    assert set(verb.path_names) <= set(verb.needs)
    assert verb.help.endswith(".")
    for cell in (verb.rest, verb.cli, verb.tool):
        assert not isinstance(cell, Empty) or len(cell.why.split()) > 3
    for name in verb.answers:
        module, _, short = name.rpartition(".")
        assert is_dataclass(getattr(import_module(f"noosphere.{module}"), short))
    schema_of(verb)


@pytest.mark.parametrize(
    ("taken", "names"),
    [(DRAFT, {f.name for f in fields(Draft)} - {"text"}), (FILTERS, {f.name for f in fields(Filters)})],
    ids=["draft", "filters"],
)
def test_the_glossary_offers_all_that_a_verb_takes(taken, names):
    assert set(taken) == names


@pytest.fixture
def noosphere(tmp_path):
    """A home in which every reading verb has something to tell."""
    with scratch_noosphere(tmp_path / "home", clock=FrozenClock(), ids=SequentialIds()) as opened:
        opened.workspaces.create("acme")
        with opened.changing("personal") as mind:
            stored = mind.remember("The kiln is cold 🚀 Đà Nẵng", tags=["ops"], slot="kiln.state", value="cold")
            mind.revise(stored.id, "The kiln is hot 🚀 Đà Nẵng", value="hot")
            for state in ("red", "blue"):
                about = {"slot": "gate.status", "value": state, "valid_from": "2024", "volatility": "durable"}
                mind.remember(f"The gate is {state}", **about)
            mind.record("talk", [Turn(key="1", speaker="Ann", text="The kiln hums")])
            mind.identity.set(name="Iris")
            mind.relate("Ana", "leads", "Heron", src_type="person", dst_type="project")
            mind.awareness.add("mend the kiln", priority=7)
            mind.cognify({"user": "I wish you could light the kiln.", "conversation": "wishes"})
            mind.procedures.record("Mend", ["look", "mend"])
            mind.traces.record("mend the kiln", ["look", "mend"], outcome="failed", procedure="mend")
        opened.known = stored.id
        yield opened


def asked(verb, known):
    examples = {"id": known, "query": "kiln Đà Nẵng", "limit": 5, "everything": True}
    examples |= {"name": "Ana", "text": "Hero", "relation": "leads", "seeds": ["Ana"]}
    given = {name: examples[name] for name in verb.takes if name in verb.needs or name in ("limit", "everything")}
    return {**given, **({"query": examples["query"]} if "query" in verb.takes else {})}


def without_times(value):
    """What is read at another moment is the same but for how long it took and what the clock says."""
    if isinstance(value, dict):
        return {
            name: without_times(item)
            for name, item in value.items()
            if name
            not in ("milliseconds", "origin", "settings", "text", "use_count", "last_used_at", "outcome", "steps")
        }
    return [without_times(item) for item in value] if isinstance(value, list) else value


def _one(value):
    return value[0] if isinstance(value, list) else str(value)


def typed(verb, given):
    shown = [_one(given.pop(word[1:-1], word)) if word.startswith("{") else word for word in verb.cli.split()]
    words = [word for word in shown if not word.startswith("{")]
    flags = [f"--{name.replace('_', '-')}" if value is True else f"--{name}={value}" for name, value in given.items()]
    return [*words, *flags]


@pytest.mark.parametrize(
    "verb", [v for v in READS if v.name not in ("mastery.due", "mastery.list")], ids=lambda v: v.name
)
def test_a_reading_verb_answers_the_same_behind_every_door(noosphere, verb, monkeypatch):
    given = asked(verb, noosphere.known)
    mind = "personal" if verb.owner == "mind" else None
    expected = without_times(plain(call(noosphere, verb, given, mind=mind)))
    monkeypatch.setenv("NOOSPHERE_HOME", str(noosphere.settings.home))
    monkeypatch.setenv("NOOSPHERE_SEMANTIC", "off")
    with TestClient(make_server(noosphere), base_url="http://127.0.0.1") as client:
        owner = json.loads((noosphere.settings.home / "tokens.json").read_text())["owner"]
        method, _, path = verb.rest.partition(" ")
        rest = {name: value for name, value in given.items() if name not in verb.path_names}
        sent = {"json": rest} if method == "POST" else {"params": rest | ({"mind": mind} if mind else {})}
        headers = {"Authorization": f"Bearer {owner['token']}"}
        answer = client.request(method, path.format(**given), headers=headers, **sent)
        assert answer.status_code == 200, answer.text
        assert without_times(answer.json()) == expected
    out = io.TextIOWrapper(io.BytesIO(), write_through=True)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        code = main([*typed(verb, dict(given)), "--json"])
    assert code == 0
    assert without_times(json.loads(out.buffer.getvalue().decode())) == expected


# How a tool is asked for what a reading verb answers, and where in its answer that stands.
TOLD = {
    "get": ("get", {"id": "KNOWN"}, lambda told: told),
    "history": ("get", {"id": "KNOWN", "history": True}, lambda told: told["history"]),
    "hops": ("hops", {"id": "KNOWN"}, lambda told: told["items"]),
    "tags": ("status", {"part": "tags"}, lambda told: told["tags"]),
    "stats": ("status", {"part": "stats"}, lambda told: told),
    "ontology.types": ("status", {"part": "ontology"}, lambda told: told["types"]),
    "ontology.relations": ("status", {"part": "ontology"}, lambda told: told["relations"]),
    "review.conflicts": ("status", {"part": "conflicts"}, lambda told: told["items"]),
    "status": ("status", {}, lambda told: told),
    "identity.get": ("context", {}, lambda told: told["identity"]),
    "awareness.list": ("context", {}, lambda told: told["awareness"]),
    "workspaces.list": ("workspaces", {}, lambda told: told["workspaces"]),
    "search_entities": ("entity", {"name": "kiln", "alike": True}, lambda told: told["items"]),
    "recall": ("recall", {"query": "kiln Đà Nẵng"}, lambda told: [hit["id"] for hit in told["hits"]]),
    "rank": ("recall", {"query": "kiln Đà Nẵng"}, lambda told: [hit["id"] for hit in told["hits"]]),
    "context": ("context", {"query": "kiln Đà Nẵng"}, lambda told: told["identity"]),
    "brief": ("recall", {"query": "Catch me up"}, lambda told: [hit["id"] for hit in told["hits"]]),
}
GIVEN = {"search_entities": {"text": "kiln"}, "brief": {}, "workspaces.list": {}, "hops": {"id": "KNOWN"}}
SHORT = {
    "recall": lambda value: [hit["id"] for hit in value["hits"]],
    "rank": lambda value: [hit["id"] for hit in value["hits"]],
    "brief": lambda value: [hit["id"] for hit in value["hits"]],
    "context": lambda value: value["identity"],
}


def test_every_reading_verb_with_a_tool_is_asked_through_it():
    reached = {verb.name for verb in VERBS if verb.scope == "read" and not isinstance(verb.tool, Empty)}
    assert reached == set(TOLD)


def by_slug(noosphere, value):
    """Tools name minds as calls do; Python and REST by their UUID."""
    if isinstance(value, dict):
        told = {name: by_slug(noosphere, item) for name, item in value.items()}
        return told | ({"mind": noosphere.name_of(told["mind"])} if isinstance(told.get("mind"), str) else {})
    return [by_slug(noosphere, item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", TOLD)
def test_a_tool_tells_what_the_verb_answers(noosphere, name):
    tool, words, inside = TOLD[name]
    verb = BY_NAME[name]

    def named(given):
        return {key: noosphere.known if value == "KNOWN" else value for key, value in given.items()}

    async def ask():
        async with Client(MemoryServer(noosphere).make()) as client:
            return (await client.call_tool(tool, named(words))).structured_content

    given = named(GIVEN[name] if name in GIVEN else asked(verb, noosphere.known))
    answer = by_slug(noosphere, plain(call(noosphere, verb, {k: v for k, v in given.items() if k != "limit"})))
    assert without_times(inside(anyio.run(ask))) == without_times(SHORT.get(name, lambda value: value)(answer))


def test_python_takes_every_argument_of_a_row_by_its_name():
    for verb in VERBS:
        if verb.shape is not None or verb.python.count(".") != 1:
            continue
        kind = Mind if verb.owner == "mind" else Noosphere
        function = getattr(kind, verb.python.partition(".")[2])
        if isinstance(function, property):
            continue
        taken = inspect.signature(function).parameters
        if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in taken.values()):
            assert set(verb.takes) <= set(taken), verb.name


def test_the_reference_page_is_the_table():
    from noosphere.serve.verbs.reference import page

    path = Path(__file__).parents[2] / "docs" / "reference" / "verbs.md"
    remedy = "python -m noosphere.serve.verbs.reference > docs/reference/verbs.md"
    assert path.read_text(encoding="utf-8") == page(), remedy
