"""What goes wrong as problem+json (RFC 9457), with the remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi.responses import JSONResponse

from noosphere.errors import (
    BrokenInvariant,
    InvalidInput,
    NoosphereError,
    NotAMind,
    NotAnExport,
    NotFound,
    ReadOnlyMind,
)
from noosphere.serve.verbs.wording import failure_in_json

if TYPE_CHECKING:
    from starlette.requests import Request

MEDIA = "application/problem+json"
TITLES = {
    401: "A token is needed",
    403: "This token may not do that",
    404: "There is no such thing",
    405: "This path has other methods",
    409: "It cannot be done as things are",
    413: "The body is too large",
    422: "An argument has the wrong form",
    500: "Something broke",
    503: "It cannot be done at the moment",
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "title": "Problem",
    "properties": {
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "error": {"type": "string"},
        "field": {"type": "string"},
    },
    "required": ["title", "status", "detail"],
}


def problem(status: int, detail: str, **more: Any) -> JSONResponse:
    """A problem as an answer."""
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None  # noqa: PLR2004  (HTTP's own number)
    told = {"title": TITLES.get(status, "It did not work"), "status": status, "detail": detail, **more}
    return JSONResponse(told, status, headers, media_type=MEDIA)


def of_error(_: Request, error: Exception) -> JSONResponse:
    """An error of the engine as an answer."""
    if not isinstance(error, NoosphereError):
        told = problem(500, "an internal error. See the server's log")
        told.headers["Connection"] = "close"  # the server closes it: nobody shall send the next request into that
        return told
    more = {"error": type(error).__name__}
    if isinstance(error, InvalidInput):
        more["field"] = error.field
    return problem(status_of(error), failure_in_json(error, "rest"), **more)


def status_of(error: NoosphereError) -> int:
    """The HTTP status of an error."""
    match error:
        case NotFound():
            return 404
        case InvalidInput() | NotAMind() | NotAnExport():
            return 422
        case ReadOnlyMind():
            return 409
        case BrokenInvariant():
            return 500
        case _:
            return 503


def documented() -> dict[int | str, dict[str, Any]]:
    """The problems that any route may answer with."""
    return {status: {"description": title, "content": {MEDIA: {"schema": SCHEMA}}} for status, title in TITLES.items()}
