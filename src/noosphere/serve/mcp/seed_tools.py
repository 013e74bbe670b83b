"""The seed's tool names with the seed's parameters, over the same verbs: for agents that know those."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.model.vocabulary import Importance, Source
from noosphere.serve.mcp.agent_tools import ITEMS, TEXT
from noosphere.serve.mcp.hits import HIT, degraded, shown
from noosphere.serve.mcp.tool import Answer, Tool
from noosphere.serve.verbs.call import document
from noosphere.serve.verbs.field import Field
from noosphere.serve.verbs.glossary import IDENTITY, ITEM
from noosphere.serve.verbs.table import BY_NAME

if TYPE_CHECKING:
    from noosphere.serve.mcp.tool import Door

    Given = dict[str, Any]

BALANCED = "balanced"
DEPRECATED = "deprecated"  # the seed's fifth importance, which is a status here
WORKSPACE = Field(kind="text", help="The workspace's slug; the personal mind when left out.")
SCOPES = ("personal", "current", "all")
RELATION = {"src": "source_id", "relation": "relation_type", "dst": "target_id", "weight": "confidence"}  # its names
CLEAN_FRAMES = {"compact": ("retire", "compact"), "reconcile": ("reindex", "reembed")}  # upkeep's passes of a mode
CLEAN_ENTITIES: dict[str, tuple[str, ...]] = {"audit": (), "dedup": ("dedupe_entities",)}
LIMIT = Field(kind="whole", help="How many, at most.", least=1, most=100)


def _mind(given: Given) -> str:
    return given.pop("workspace", None) or "personal"


def _save_memory(door: Door, given: Given) -> Answer:
    mind, about = _mind(given), {name: given[name] for name in ("importance", "source") if name in given}
    if about.get("importance") == DEPRECATED:
        about["status"] = about.pop("importance")
    return Answer(door.told("remember", {"text": given["content"], **about}, mind))


def _recall_memory(door: Door, given: Given) -> Answer:
    scope, workspace = given.get("scope"), given.get("workspace")
    minds: list[str] | None = None if workspace is None else [workspace]
    if scope == "all":
        minds = ["all"]
    elif scope == "personal":
        minds = ["personal"]
    elif scope == "current" and minds is None:
        minds = [door.noosphere.active]
    profile = given.get("profile", BALANCED)
    found = door.noosphere.recall(given["query"], k=given.get("limit", 10), minds=minds, profile=profile)
    return Answer({"hits": shown(door.noosphere, found.hits), "degraded": degraded(found.trace)}, found.text)


def _get_identity(door: Door, _: Given) -> Answer:
    return Answer(door.told("identity.get", {}, "personal"))


def _set_identity(door: Door, given: Given) -> Answer:
    return Answer(door.told("identity.set", given, "personal"))


def _get_awareness(door: Door, _: Given) -> Answer:
    return Answer({"items": document(door.noosphere.awareness())})


def _set_awareness(door: Door, given: Given) -> Answer:
    mind = _mind(given)
    return Answer(door.told("awareness.add", {"text": given.pop("content"), **given}, mind))


def _save_entity(door: Door, given: Given) -> Answer:
    mind = _mind(given)
    return Answer(door.told("entity", given, mind))


def _search_entities(door: Door, given: Given) -> Answer:
    mind = _mind(given)
    return Answer(door.told("search_entities", {"text": given.pop("query"), **given}, mind))


def _create_relation(door: Door, given: Given) -> Answer:
    said = {ours: given[theirs] for ours, theirs in RELATION.items() if theirs in given}
    return Answer(door.told("relate", said, _mind(given)))


def _cleanup_frames(door: Door, given: Given) -> Answer:
    return _cleanup(door, CLEAN_FRAMES[given["mode"]], _mind(given))


def _cleanup_entities(door: Door, given: Given) -> Answer:
    return _cleanup(door, CLEAN_ENTITIES[given["mode"]], _mind(given))


def _cleanup(door: Door, passes: tuple[str, ...], mind: str) -> Answer:
    """Run passes of upkeep; without any, say how much each would have to do."""
    if not passes:
        return Answer({"due": door.told("upkeep.due", {}, mind)})
    return Answer({"items": [door.told("upkeep", {"name": name}, mind) for name in passes]})


def _list_workspaces(door: Door, _: Given) -> Answer:
    return Answer({"workspaces": document(door.verb("workspaces.list", {}))})


def _create_workspace(door: Door, given: Given) -> Answer:
    return Answer(door.told("workspaces.create", {"id": given["name"]}))


def _harvest_import(door: Door, given: Given) -> Answer:
    mind = _mind(given)
    return Answer(door.told("harvest", {"places": [given["path"]], "adapter": given.get("source")}, mind))


def _harvest_sources(door: Door, given: Given) -> Answer:
    return Answer(door.told("harvest.sources", {}, _mind(given)))


def _tool(name: str, use: str, run: Any, takes: dict[str, Field], needs: tuple[str, ...] = (), **more: Any) -> Tool:
    """A tool of the seed."""
    title = name.replace("_", " ").capitalize()
    return Tool(name=name, title=title, use=use, avoid="", takes=takes, needs=needs, run=run, **more)


CONTENT = Field(kind="text", help="What to remember.")
SEED_TOOLS = (
    _tool(
        "save_memory",
        "Store a memory.",
        _save_memory,
        {
            "content": CONTENT,
            "importance": Field(
                kind="word", help="How much it matters.", words=(*(i.value for i in Importance), DEPRECATED)
            ),
            "source": Field(kind="word", help="Who vouches for it.", words=tuple(s.value for s in Source)),
            "workspace": WORKSPACE,
        },
        ("content",),
    ),
    _tool(
        "recall_memory",
        "Search memories.",
        _recall_memory,
        {
            "query": BY_NAME["recall"].takes["query"],
            "limit": LIMIT,
            "workspace": WORKSPACE,
            "scope": Field(kind="word", help="Which minds to ask.", words=SCOPES),
            "profile": BY_NAME["recall"].takes["profile"],
        },
        ("query",),
        gives={"hits": {"type": "array", "items": HIT}},
        reads=True,
    ),
    _tool("get_identity", "Who the agent is.", _get_identity, {}, reads=True),
    _tool("set_identity", "Change who the agent is; what is left out stays.", _set_identity, IDENTITY),
    _tool("get_awareness", "What the agent is at.", _get_awareness, {}, gives={"items": ITEMS}, reads=True),
    _tool(
        "set_awareness",
        "Note what the agent is at.",
        _set_awareness,
        {"content": CONTENT, **ITEM, "workspace": WORKSPACE},
        ("content",),
    ),
    _tool(
        "save_entity",
        "Store an entity once.",
        _save_entity,
        {**{name: BY_NAME["entity"].takes[name] for name in ("name", "type", "properties")}, "workspace": WORKSPACE},
        ("name", "type"),
        gives={"id": TEXT},
    ),
    _tool(
        "search_entities",
        "Entities whose names are like a text, the most alike first.",
        _search_entities,
        {
            "query": BY_NAME["search_entities"].takes["text"],
            **{name: BY_NAME["search_entities"].takes[name] for name in ("type", "limit")},
            "workspace": WORKSPACE,
        },
        ("query",),
        gives={"items": ITEMS},
        reads=True,
    ),
    _tool(
        "create_relation",
        "Say how one entity bears on another.",
        _create_relation,
        {**{theirs: BY_NAME["relate"].takes[ours] for ours, theirs in RELATION.items()}, "workspace": WORKSPACE},
        ("source_id", "target_id", "relation_type"),
        gives=dict.fromkeys(("outcome", "edge", "journal", "reason", "message"), TEXT),
    ),
    _tool(
        "cleanup_frames",
        "Tidy memories up, each change undone by its journal entry: compact archives temporary ones and merges those "
        "of the same words; reconcile mends the indexes. Nothing is wiped.",
        _cleanup_frames,
        {"mode": Field(kind="word", help="What to do.", words=tuple(CLEAN_FRAMES)), "workspace": WORKSPACE},
        ("mode",),
        gives={"items": ITEMS},
    ),
    _tool(
        "cleanup_entities",
        "Tidy entities up: audit says how much there is to do, dedup merges those of one type and name.",
        _cleanup_entities,
        {"mode": Field(kind="word", help="What to do.", words=tuple(CLEAN_ENTITIES)), "workspace": WORKSPACE},
        ("mode",),
        gives={"items": ITEMS, "due": {"type": "object"}},
    ),
    _tool("list_workspaces", "The minds of this home.", _list_workspaces, {}, gives={"workspaces": ITEMS}, reads=True),
    _tool(
        "create_workspace",
        "Make a workspace.",
        _create_workspace,
        {"name": BY_NAME["workspaces.create"].takes["id"]},
        ("name",),
        gives={"id": TEXT},
    ),
    *(
        _tool(
            name,
            "Import a file, a folder, a zip or a web address; a second run adds nothing.",
            _harvest_import,
            {
                "path": Field(kind="text", help="What to import."),
                "source": BY_NAME["harvest"].takes["adapter"],
                "workspace": WORKSPACE,
            },
            ("path",),
        )
        for name in ("harvest_import", "ingest_source")
    ),
    _tool("harvest_sources", "What was imported.", _harvest_sources, {"workspace": WORKSPACE}, reads=True),
)
