"""The tools about the agent and its minds: context, note_state, harvest, status, workspaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.errors import InvalidInput
from noosphere.serve.mcp.hits import DEGRADED, degraded
from noosphere.serve.mcp.memory_tools import BUDGET
from noosphere.serve.mcp.tool import MIND, Answer, Tool
from noosphere.serve.verbs.call import document
from noosphere.serve.verbs.field import Field
from noosphere.serve.verbs.glossary import IDENTITY
from noosphere.serve.verbs.table import BY_NAME

if TYPE_CHECKING:
    from noosphere.harvest.progress import Step
    from noosphere.minds.context import Context
    from noosphere.serve.mcp.tool import Door

    Given = dict[str, Any]

TEXT = {"type": "string"}
ITEMS = {"type": "array", "items": {"type": "object"}}
WORKSPACE_VERBS = {
    "list": frozenset({"everything"}),
    "create": frozenset({"id"}),
    "rename": frozenset({"id", "to"}),
    "archive": frozenset({"id"}),
    "delete": frozenset({"id"}),
    "restore": frozenset({"id"}),
}  # with what each takes
LEARN_BY = ("rules", "model")
LEARNT_AT_ONCE = 200  # turns in one call of the tool: an agent waits for it
STATUS_PARTS = ("status", "stats", "tags", "conflicts", "ontology")


def _context(door: Door, given: Given) -> Answer:
    found: Context = door.verb("context", {"budget": BUDGET, **given})
    structured = {
        "identity": document(found.identity),
        "awareness": door.by_slug(document(found.awareness)),
        "left_out": found.left_out,
        "degraded": degraded(found.recall.trace) if found.recall else [],
    }
    return Answer(structured, found.text)


def _note_state(door: Door, given: Given) -> Answer:
    mind, item, done = given.pop("mind", None), given.pop("id", None), given.pop("done", False)
    about = {name.removeprefix("agent_"): given.pop(name) for name in list(given) if name.startswith("agent_")}
    told: dict[str, Any] = {}
    if about:
        told["identity"] = door.told("identity.set", about, "personal")
    if done and item is None:
        raise InvalidInput("done", "needs the id of an item", "Take it from context")
    if done:
        told["awareness"] = door.told("awareness.done", {"id": item}, mind)
    elif item is not None:
        told["awareness"] = door.told("awareness.update", {"id": item, **given}, mind)
    elif given:
        told["awareness"] = door.told("awareness.add", given, mind)
    if not told:
        raise InvalidInput("note_state", "notes nothing", "Give text, an id with done, or an agent_ field")
    return Answer(told)


def _harvest(door: Door, given: Given) -> Answer:
    mind, preview, learn = given.pop("mind", None), given.pop("preview", False), given.pop("learn", None)
    if preview and given.get("places"):
        return Answer(door.told("harvest.preview", given, mind))
    if learn is not None and not given.get("places"):
        return Answer(door.told("harvest.learn", {"model": learn == "model", "limit": LEARNT_AT_ONCE}, mind))
    if not given.get("places"):
        raise InvalidInput("places", "names nothing to import", "Name files, folders, zips or addresses, or give learn")

    def tell(step: Step) -> None:
        door.progress(step.items, f"{step.items} read, {step.added} added")

    with door.noosphere.changing(mind) as chosen:
        found = chosen.harvest(*given["places"], adapter=given.get("adapter"), watcher=tell)
    return Answer(document(found, "mcp"))


def _status(door: Door, given: Given) -> Answer:
    mind, part = given.pop("mind", None), given.pop("part", "status")
    if part == "ontology":
        return Answer({name: door.verb(f"ontology.{name}", {}, mind) for name in ("types", "relations")})
    told = door.told("review.conflicts" if part == "conflicts" else part, {}, mind)
    return Answer({"tags": told} if part == "tags" else told)


def _workspaces(door: Door, given: Given) -> Answer:
    verb = given.pop("do", "list")
    if beside := sorted(given.keys() - WORKSPACE_VERBS[verb]):
        raise InvalidInput(beside[0], f"has nothing to do with {verb}", "Leave it out, or say what to do in do")
    if verb == "list":
        return Answer({"active": door.noosphere.active, "workspaces": document(door.verb("workspaces.list", given))})
    return Answer(door.told(f"workspaces.{verb}", given))


AGENT_TOOLS = (
    Tool(
        name="context",
        title="Context before a prompt",
        use="Get the block that belongs before a prompt: who you are, what you are at, and with a query what bears "
        "on it. Call it once when a conversation begins.",
        avoid="Not when a hook has put the block there already: then pass recall=false, or use recall alone.",
        takes={
            **{name: BY_NAME["context"].takes[name] for name in ("query", "budget", "recall", "minds")},
        },
        gives={
            "identity": {"type": "object"},
            "awareness": ITEMS,
            "left_out": {"type": "object"},
            "degraded": DEGRADED,
        },
        reads=True,
        run=_context,
    ),
    Tool(
        name="note_state",
        title="Note what you are at",
        use="Note a task, an action, something pending or a flag you want before every prompt; change it by id, or "
        "end it with done. The agent_ fields change who you are, one by one. At most ten items are live.",
        avoid="Not for lasting knowledge (remember): this is working memory.",
        takes={
            **{name: BY_NAME["awareness.update"].takes[name] for name in ("id", "text", "category", "priority")},
            "expires": BY_NAME["awareness.update"].takes["expires"],
            "done": Field(kind="flag", help="Be done with the item of this id."),
            **{f"agent_{name}": field for name, field in IDENTITY.items()},
            "mind": MIND,
        },
        gives={"awareness": {"type": "object"}, "identity": {"type": "object"}},
        run=_note_state,
    ),
    Tool(
        name="harvest",
        title="Harvest",
        use="Import conversations and notes from files, folders, zips or web addresses that the user named; a second "
        "run adds nothing. With preview, only say what would come in. With learn and no places, learn from turns that "
        "came in before.",
        avoid="Not for single facts (remember), and not without being asked to.",
        takes={
            **BY_NAME["harvest"].takes,
            "preview": Field(kind="flag", help="Say what would come in, and write nothing."),
            "learn": Field(kind="word", help="Learn from turns that wait, by rules or a model too.", words=LEARN_BY),
            "mind": MIND,
        },
        called={"path": "places", "url": "places"},
        gives={name: {"type": "integer"} for name in ("conversations", "notes")},
        run=_harvest,
    ),
    Tool(
        name="status",
        title="Status",
        use="See what is in force, what is off and why, what waits to be embedded, how much is known, which tags are "
        "in use, which types and relations entities may have, or which memories contradict each other: ask the user "
        "what is right, then revise with how=settle.",
        avoid="Not to search memories (recall).",
        takes={
            "part": Field(kind="word", help="What to show; status when left out.", words=STATUS_PARTS),
            "mind": MIND,
        },
        gives={},
        reads=True,
        run=_status,
    ),
    Tool(
        name="workspaces",
        title="Workspaces",
        use="List the minds of this home, or create, rename, archive, delete or restore a workspace.",
        avoid="Not without being asked to, except list.",
        takes={
            "do": Field(kind="word", help="What to do; list when left out.", words=tuple(WORKSPACE_VERBS)),
            **BY_NAME["workspaces.rename"].takes,
            **BY_NAME["workspaces.list"].takes,
        },
        gives={"active": TEXT, "workspaces": ITEMS, "id": TEXT, "status": TEXT},
        destroys=True,
        run=_workspaces,
    ),
)
