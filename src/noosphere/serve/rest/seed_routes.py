"""The seed's paths with the seed's parameters, over the same verbs: for pages and programs that know those."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import Body, Query
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict

from noosphere.errors import InvalidInput
from noosphere.model.vocabulary import Source, Status
from noosphere.serve.rest.routes import CONFLICT, refusable
from noosphere.serve.verbs.call import call, document, is_refused
from noosphere.serve.verbs.table import BY_NAME
from noosphere.store.registry import PERSONAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import FastAPI

    from noosphere.minds.noosphere import Noosphere
    from noosphere.model.hit import Hit

ROOT = "/api/memory"
LISTED = 100  # memories of a graph, of each mind
DEPRECATED = "deprecated"  # the seed's fifth importance, which is a status here
Scope = Annotated[Literal["personal", "workspace", "current", "all"] | None, Query(description="Which minds.")]
Limit = Annotated[int, Query(ge=1, le=100, description="How many, at most.")]
Profile = Annotated[
    Literal["balanced", "recent", "important", "connected"] | None, Query(description="What counts beside the match.")
]
Slug = Annotated[str | None, Query(description="The workspace's slug.")]
Target = Annotated[Literal["personal", "workspace"], Query(description="Which mind is changed; never guessed.")]
Answer = dict[str, Any]


class FrameIn(BaseModel):
    """A memory to store."""

    model_config = ConfigDict(extra="forbid")
    content: str
    importance: Literal["critical", "important", "normal", "temporary", "deprecated"] | None = None
    source: Source | None = None
    tags: list[str] | None = None


class ChangeIn(BaseModel):
    """What a memory says from now on, or what is said of it; what is left out stays."""

    model_config = ConfigDict(extra="forbid")
    content: str | None = None
    importance: Literal["critical", "important", "normal", "temporary", "deprecated"] | None = None
    status: Status | None = None
    tags: list[str] | None = None


class MergeIn(BaseModel):
    """The others of a merge, and what the new memory says."""

    model_config = ConfigDict(extra="forbid")
    ids: list[str]
    content: str | None = None


class IdentityIn(BaseModel):
    """Fields of the identity; what is left out stays."""

    model_config = ConfigDict(extra="forbid")
    name: str | None = None
    role: str | None = None
    department: str | None = None
    personality: str | None = None
    capabilities: str | None = None
    system_prompt: str | None = None


class Seed:
    """The handlers of the paths, over the minds of one home."""

    def __init__(self, noosphere: Noosphere) -> None:
        self._noosphere = noosphere

    def listed(self, status: Status | None = None, limit: Limit = 50, workspace: Slug = None) -> Answer:
        """The memories of a mind, the newest first."""
        mind, asked = workspace or PERSONAL, status or Status.ACTIVE
        found = self._verb("list_recent", {"limit": limit, "statuses": [asked.value]}, mind)
        memories = [
            {"id": one["id"], "content": one["text"], "status": asked.value, **self._where(mind)} for one in found
        ]
        return {"memories": memories, "count": len(memories)}

    def search(
        self, q: str, limit: Limit = 10, workspace: Slug = None, scope: Scope = None, profile: Profile = None
    ) -> Answer:
        """The memories that bear on a question, best first."""
        given = {"query": q, "k": limit, "minds": self._minds(workspace, scope), "profile": profile}
        ranked = call(self._noosphere, BY_NAME["rank"], given)
        return {"results": [self._memory(hit) for hit in ranked.hits], "count": len(ranked.hits)}

    def stats(self, workspace: Slug = None) -> Answer:
        """How much a mind knows."""
        return self._verb("stats", {}, workspace or PERSONAL)

    def graph(self, scope: Scope = None, workspace: Slug = None) -> Answer:
        """The newest memories and what they are linked to; ids are the same in every answer, and never collide."""
        nodes: dict[str, Answer] = {}
        edges: dict[str, Answer] = {}
        everything = scope is None and workspace is None
        for mind in self._names(self._minds(workspace, "all" if everything else scope)):
            for one in self._verb("list_recent", {"limit": LISTED}, mind):
                nodes[one["id"]] = {"id": one["id"], "label": one["text"], "type": one["node_class"]} | self._where(
                    mind
                )
                for link in self._verb("connections", {"id": one["id"]}, mind):
                    other = {"id": link["id"], "label": link["text"], "type": link["node_class"]} | self._where(mind)
                    nodes.setdefault(link["id"], other)
                    edges[link["edge"]["edge"]] = link["edge"]
        return {"nodes": list(nodes.values()), "edges": list(edges.values())}

    def frames(self, given: FrameIn, mind: Target, workspace: Slug = None) -> JSONResponse:
        """Store a memory."""
        return self._changed("remember", {"text": given.content, **_about(given)}, mind, workspace)

    def one(self, id: str, workspace: Slug = None) -> Answer:
        """One memory in full."""
        return self._verb("get", {"id": id}, workspace or PERSONAL)

    def change(self, id: str, given: ChangeIn, mind: Target, workspace: Slug = None) -> JSONResponse:
        """Change what a memory says, or what is said of it; its history stays."""
        about = _about(given)
        if given.content is None and not about:
            raise InvalidInput("change", "changes nothing", "Give content, importance, status or tags")
        if given.content is None:
            return self._changed("classify", {"id": id, **about}, mind, workspace)
        return self._changed("revise", {"id": id, "text": given.content, **about}, mind, workspace)

    def forget(self, id: str, mind: Target, workspace: Slug = None) -> JSONResponse:
        """Take a memory out of every read; nothing is deleted, and its journal entry undoes it."""
        return self._changed("forget", {"id": id}, mind, workspace)

    def merge(self, id: str, given: MergeIn, mind: Target, workspace: Slug = None) -> JSONResponse:
        """Make one new memory of several; those are archived, never deleted."""
        return self._changed("merge", {"ids": [id, *given.ids], "text": given.content}, mind, workspace)

    def archive(self, id: str, mind: Target, workspace: Slug = None) -> JSONResponse:
        """Put a memory away."""
        return self._changed("archive", {"id": id}, mind, workspace)

    def trace(self, id: str, workspace: Slug = None) -> Answer:
        """Where a memory comes from, and what became of it."""
        mind = workspace or PERSONAL
        return {"memory": self._verb("get", {"id": id}, mind), "history": self._verb("history", {"id": id}, mind)}

    def set_identity(self, given: Annotated[IdentityIn, Body()]) -> JSONResponse:
        """Change who the agent is; what is left out stays."""
        return self._changed("identity.set", given.model_dump(exclude_none=True), PERSONAL, None)

    def _verb(self, name: str, given: dict[str, Any], mind: str) -> Any:
        return document(call(self._noosphere, BY_NAME[name], given, mind=mind), "rest")

    def _changed(self, name: str, given: dict[str, Any], mind: str, workspace: str | None) -> JSONResponse:
        if mind != PERSONAL and workspace is None:
            raise InvalidInput("workspace", "is missing", "Name it: ?mind=workspace&workspace=SLUG")
        if mind == PERSONAL and workspace is not None:
            raise InvalidInput("mind", "is personal, but a workspace is named", "Use ?mind=workspace, or leave it out")
        value = call(self._noosphere, BY_NAME[name], given, mind=workspace or PERSONAL)
        return JSONResponse(document(value, "rest"), CONFLICT if is_refused(value) else 200)

    def _minds(self, workspace: str | None, scope: str | None) -> list[str] | None:
        match scope:
            case "all":
                return ["all"]
            case "personal":
                return [PERSONAL]
            case "workspace" if workspace is None and self._noosphere.active == PERSONAL:
                raise InvalidInput("workspace", "is missing", "Name it: ?scope=workspace&workspace=SLUG")
            case _:
                return None if workspace is None else [workspace]

    def _names(self, minds: list[str] | None) -> list[str]:
        with self._noosphere.minds(minds) as chosen:
            return [mind.name for mind in chosen]

    def _where(self, mind: str) -> dict[str, str | None]:
        own = mind == PERSONAL
        return {"_mind": "personal" if own else "workspace", "_workspace_name": None if own else mind}

    def _memory(self, hit: Hit) -> Answer:
        said = hit.dates.said or hit.dates.valid_from
        names = ("id", "role", "kind", "status", "importance", "source", "claim", "evidence_count", "score", "withheld")
        told = {name: getattr(hit, name) for name in names}
        more = {"content": hit.text, "tags": list(hit.tags), "created_at": said.isoformat()}
        return {**told, **more, **self._where(self._noosphere.name_of(hit.mind))}


def _about(given: FrameIn | ChangeIn) -> dict[str, Any]:
    about = given.model_dump(exclude_none=True, exclude={"content"})
    if about.get("importance") == DEPRECATED:
        about["status"] = about.pop("importance")
    return about


def add_seed_routes(app: FastAPI, noosphere: Noosphere) -> dict[str, str]:
    """Add the seed's paths; returns the scope that each needs, by the route's name."""
    seed = Seed(noosphere)
    paths: tuple[tuple[str, str, Callable[..., Any], str], ...] = (
        ("GET", ROOT, seed.listed, "read"),
        ("GET", f"{ROOT}/search", seed.search, "read"),
        ("GET", f"{ROOT}/frames", seed.listed, "read"),
        ("GET", f"{ROOT}/stats", seed.stats, "read"),
        ("GET", f"{ROOT}/graph", seed.graph, "read"),
        ("POST", f"{ROOT}/frames", seed.frames, "write"),
        ("POST", ROOT, seed.frames, "write"),
        ("GET", f"{ROOT}/{{id}}", seed.one, "read"),
        ("PATCH", f"{ROOT}/{{id}}", seed.change, "write"),
        ("DELETE", f"{ROOT}/{{id}}", seed.forget, "write"),
        ("POST", f"{ROOT}/{{id}}/merge", seed.merge, "write"),
        ("POST", f"{ROOT}/{{id}}/archive", seed.archive, "write"),
        ("GET", f"{ROOT}/{{id}}/trace", seed.trace, "read"),
        ("POST", "/api/identity", seed.set_identity, "write"),
    )
    scopes: dict[str, str] = {}
    for method, path, handler, scope in paths:
        name = f"seed.{method.lower()}.{path.removeprefix('/api/').replace('/', '.')}"
        app.add_api_route(path, handler, methods=[method], name=name, tags=["seed"], responses=refusable())
        scopes[name] = scope
    return scopes
