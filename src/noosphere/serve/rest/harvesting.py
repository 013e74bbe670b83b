"""Harvest as a job: it answers at once, and its progress is a stream of events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Query
from fastapi.responses import JSONResponse, StreamingResponse

from noosphere.ids import uid_text
from noosphere.serve.rest.jobs import Jobs
from noosphere.serve.rest.problem import documented
from noosphere.serve.rest.routes import MIND, model_of
from noosphere.serve.verbs.table import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import FastAPI

    from noosphere.ids import Uuid7
    from noosphere.minds.noosphere import Noosphere

JOB = {
    "type": "object",
    "title": "Job",
    "properties": {"job": {"type": "string"}, "state": {"enum": ["running", "done", "failed"]}},
    "required": ["job", "state"],
}
HARVEST = "harvest"
PATH = "/api/harvest"


def add_harvest(app: FastAPI, noosphere: Noosphere, ids: Uuid7) -> dict[str, str]:
    """Add the routes that start a harvest and look at it; returns the scope that each needs, by the route's name."""
    jobs = Jobs()
    app.add_api_route(
        PATH,
        _starting(jobs, noosphere, ids),
        methods=["POST"],
        name=HARVEST,
        summary="Import conversations and notes as a job; a second run adds nothing.",
        status_code=202,
        response_model=None,
        responses=_answers(202, "Started."),
    )
    _add_looking(app, jobs)
    return {HARVEST: BY_NAME[HARVEST].scope, "harvest.job": "read", "harvest.events": "read"}


def _starting(jobs: Jobs, noosphere: Noosphere, ids: Uuid7) -> Callable[..., JSONResponse]:
    def start(arguments: Any, mind: Any = None) -> JSONResponse:
        given = arguments.model_dump(exclude_none=True)
        with noosphere.changing(mind):  # a wrong name is told now

            def work(tell: Any) -> Any:
                with noosphere.changing(mind) as chosen:
                    return chosen.harvest(*given["places"], adapter=given.get("adapter"), watcher=tell)

            return JSONResponse(jobs.start(uid_text(ids.new()), work).shown(), 202)

    taken: Any = model_of(BY_NAME[HARVEST], mind=False)
    start.__annotations__ |= {"arguments": taken, "mind": Annotated[str | None, Query(description=MIND)]}
    return start


def _add_looking(app: FastAPI, jobs: Jobs) -> None:
    def look(job: str) -> JSONResponse:
        return JSONResponse(jobs.get(job).shown())

    def watch(job: str) -> StreamingResponse:
        return StreamingResponse(jobs.events(jobs.get(job)), media_type="text/event-stream")

    app.add_api_route(
        f"{PATH}/jobs/{{job}}",
        look,
        name="harvest.job",
        summary="How far a harvest is, and what came of it.",
        response_model=None,
        responses=_answers(200, "The job."),
    )
    events: dict[str, Any] = {"description": "Events.", "content": {"text/event-stream": {}}}
    stream: dict[int | str, dict[str, Any]] = {**documented(), 200: events}
    app.add_api_route(
        f"{PATH}/jobs/{{job}}/events",
        watch,
        name="harvest.events",
        summary="The progress of a harvest, as server-sent events, until it is done.",
        response_class=StreamingResponse,
        response_model=None,
        responses=stream,
    )


def _answers(code: int, description: str) -> dict[int | str, dict[str, Any]]:
    return {**documented(), code: {"description": description, "content": {"application/json": {"schema": JOB}}}}
