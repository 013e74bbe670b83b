"""The REST application: the routes of the table, harvest as a job, health and metrics, behind the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Query
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, StreamingResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from noosphere import __version__
from noosphere.errors import NoosphereError
from noosphere.ids import Uuid7, uid_text
from noosphere.serve import presence
from noosphere.serve.rest.gate import Gate
from noosphere.serve.rest.jobs import Jobs
from noosphere.serve.rest.metrics import Metered, Meters
from noosphere.serve.rest.problem import documented, of_error, problem
from noosphere.serve.rest.routes import MIND, add_routes, model_of
from noosphere.serve.rest.seed_routes import add_seed_routes
from noosphere.serve.verbs.table import BY_NAME, VERBS

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from starlette.requests import Request

    from noosphere.clock import Clock
    from noosphere.minds.noosphere import Noosphere
    from noosphere.serve.rest.tokens import Tokens

    Lifespan = Callable[[Any], AbstractAsyncContextManager[None]]

JOB = {
    "type": "object",
    "title": "Job",
    "properties": {"job": {"type": "string"}, "state": {"enum": ["running", "done", "failed"]}},
    "required": ["job", "state"],
}
HARVEST = "harvest"
NONCE = "^[0-9a-f]{32,128}$"


def make_app(
    noosphere: Noosphere,
    tokens: Tokens,
    clock: Clock,
    secret: str,
    lifespan: Lifespan | None = None,
    *,
    seed_routes: bool = False,
) -> FastAPI:
    """Put the application together; `secret` is what it can prove that it knows."""
    app = FastAPI(
        title="Noosphere",
        version=__version__,
        description="A local-first memory engine for AI agents.",
        lifespan=lifespan,
        docs_url=None,  # their pages take their scripts from the network
        redoc_url=None,
    )
    meters = Meters()
    scopes = add_routes(app, noosphere, tuple(verb for verb in VERBS if verb.name != HARVEST))
    if seed_routes:
        scopes |= add_seed_routes(app, noosphere)
    scopes |= _add_harvest(app, noosphere, Uuid7(clock))
    scopes |= _add_health(app, meters)
    _add_proof(app, secret)
    app.add_exception_handler(NoosphereError, of_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, of_error)
    app.add_middleware(Metered, meters=meters)
    app.add_middleware(Gate, tokens=tokens, routes=app.routes, scopes=scopes)
    return app


def _add_harvest(app: FastAPI, noosphere: Noosphere, ids: Uuid7) -> dict[str, str]:
    """Harvest answers at once with a job, whose progress is a stream of events."""
    jobs, verb = Jobs(), BY_NAME[HARVEST]
    model: Any = model_of(verb, mind=False)
    accepted = {**documented(), 202: {"description": "Started.", "content": {"application/json": {"schema": JOB}}}}
    shown = {**documented(), 200: {"description": "The job.", "content": {"application/json": {"schema": JOB}}}}
    events: dict[str, Any] = {"description": "Events.", "content": {"text/event-stream": {}}}
    stream: dict[int | str, dict[str, Any]] = {**documented(), 200: events}

    def start(arguments: Any, mind: Any = None) -> JSONResponse:
        given = arguments.model_dump(exclude_none=True)
        with noosphere.changing(mind):  # a wrong name is told now

            def work(tell: Any) -> Any:
                with noosphere.changing(mind) as chosen:
                    return chosen.harvest(*given["places"], adapter=given.get("adapter"), watcher=tell)

            return JSONResponse(jobs.start(uid_text(ids.new()), work).shown(), 202)

    start.__annotations__ |= {"arguments": model, "mind": Annotated[str | None, Query(description=MIND)]}

    def look(job: str) -> JSONResponse:
        return JSONResponse(jobs.get(job).shown())

    def watch(job: str) -> StreamingResponse:
        return StreamingResponse(jobs.events(jobs.get(job)), media_type="text/event-stream")

    path = "/api/harvest"
    app.add_api_route(
        path,
        start,
        methods=["POST"],
        name=HARVEST,
        summary="Import conversations and notes as a job; a second run adds nothing.",
        status_code=202,
        response_model=None,
        responses=accepted,
    )
    app.add_api_route(
        f"{path}/jobs/{{job}}",
        look,
        name="harvest.job",
        summary="How far a harvest is, and what came of it.",
        response_model=None,
        responses=shown,
    )
    app.add_api_route(
        f"{path}/jobs/{{job}}/events",
        watch,
        name="harvest.events",
        summary="The progress of a harvest, as server-sent events, until it is done.",
        response_class=StreamingResponse,
        response_model=None,
        responses=stream,
    )
    return {HARVEST: verb.scope, "harvest.job": "read", "harvest.events": "read"}


class Health(BaseModel):
    """The server is there."""

    status: str
    version: str


def _add_health(app: FastAPI, meters: Meters) -> dict[str, str]:
    """Health for everybody, metrics for who may read: counts and times, never what was asked."""

    def health() -> Health:
        return Health(status="ok", version=__version__)

    def metrics() -> PlainTextResponse:
        return PlainTextResponse(meters.text())

    app.add_api_route("/health", health, name="health", summary="Whether the server is there; open to everybody.")
    app.add_api_route(
        "/metrics",
        metrics,
        name="metrics",
        summary="Counts and times for Prometheus, never what was asked.",
        response_class=PlainTextResponse,
        response_model=None,
        responses=documented(),
    )
    return {"metrics": "read"}


class Proof(BaseModel):
    """Something that only the server which announced itself can know."""

    proof: str


def _add_proof(app: FastAPI, secret: str) -> None:
    """Open to everybody: a hook that finds the announcement asks for it before it shows its token."""

    def prove(nonce: Annotated[str, Query(pattern=NONCE, description="Chosen at random by who asks.")]) -> Proof:
        return Proof(proof=presence.proof(secret, nonce))

    summary = "Proof that this is the server that announced itself; open to everybody."
    app.add_api_route(presence.PROOF, prove, name="proof", summary=summary, responses=documented())


def _invalid(_: Request, error: Exception) -> JSONResponse:
    """What pydantic found, in words."""
    assert isinstance(error, RequestValidationError)  # noqa: S101  (registered for it alone)
    found = [
        ("body" if one["type"] == "json_invalid" else ".".join(map(str, one["loc"][1:])) or "body", one["msg"])
        for one in error.errors()
    ]
    said = [f"{where}: {what}" for where, what in found]
    field = found[0][0].rpartition(".")[2] if found else "body"
    return problem(422, f"{'; '.join(said)}. See /openapi.json for what it takes", field=field)


def _http(_: Request, error: Exception) -> JSONResponse:
    """A path or method that is not there."""
    assert isinstance(error, HTTPException)  # noqa: S101  (registered for it alone)
    return problem(error.status_code, f"{error.detail}. See /openapi.json for the paths")
