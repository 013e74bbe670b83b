"""The REST application: the routes of the table and of harvest, health and metrics, behind the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Query
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from noosphere import __version__
from noosphere.errors import NoosphereError
from noosphere.ids import Uuid7
from noosphere.serve import presence
from noosphere.serve.rest.gate import Gate
from noosphere.serve.rest.harvesting import HARVEST, add_harvest
from noosphere.serve.rest.malformed import BODY, UNREADABLE, malformed
from noosphere.serve.rest.metrics import Metered, Meters
from noosphere.serve.rest.problem import documented, of_error, problem
from noosphere.serve.rest.routes import add_routes
from noosphere.serve.rest.seed_routes import add_seed_routes
from noosphere.serve.verbs.table import VERBS

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from starlette.requests import Request

    from noosphere.clock import Clock
    from noosphere.minds.noosphere import Noosphere
    from noosphere.serve.rest.tokens import Tokens

    Lifespan = Callable[[Any], AbstractAsyncContextManager[None]]

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
    scopes |= add_harvest(app, noosphere, Uuid7(clock))
    scopes |= _add_health(app, meters)
    _add_proof(app, secret)
    app.add_exception_handler(NoosphereError, of_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, of_error)
    app.add_middleware(Metered, meters=meters)
    app.add_middleware(Gate, tokens=tokens, routes=app.routes, scopes=scopes)
    return app


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


def _invalid(request: Request, error: Exception) -> JSONResponse:
    """What pydantic found, in words."""
    assert isinstance(error, RequestValidationError)  # noqa: S101  (registered for it alone)
    said, field = malformed(request, error)
    return problem(422, said, field=field)


def _http(_: Request, error: Exception) -> JSONResponse:
    """A path or method that is not there, or a body that nobody can read."""
    assert isinstance(error, HTTPException)  # noqa: S101  (registered for it alone)
    if error.status_code == 400:  # noqa: PLR2004  (HTTP's own number)
        return problem(422, UNREADABLE, field=BODY)
    return problem(error.status_code, f"{error.detail}. See /openapi.json for the paths")
