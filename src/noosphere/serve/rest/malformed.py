"""What is wrong with a request before a verb is called, in words: what it names, near names, and what to send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.errors import InvalidInput
from noosphere.serve.verbs.field import TURN
from noosphere.serve.verbs.table import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastapi.exceptions import RequestValidationError
    from starlette.requests import Request

BODY = "body"
UNREADABLE = (
    "body: cannot be read. Send JSON in UTF-8, nested less than a hundred deep, no number longer than 4000 digits"
)
AS_JSON = "Send a JSON object, with Content-Type: application/json"
SEE = "See /openapi.json for what it takes"


def malformed(request: Request, error: RequestValidationError) -> tuple[str, str]:
    """The message about a request, and the argument that it is about."""
    told = [_one(request, one) for one in error.errors()]
    said = "; ".join(what for _, what, _ in told)
    remedies = dict.fromkeys(remedy for *_, remedy in told)
    return f"{said}. {' '.join(remedies)}", told[0][0]


def _one(request: Request, one: Any) -> tuple[str, str, str]:
    """The argument, what is wrong with it, and what to do."""
    kind, place = str(one["type"]), list(one["loc"])[1:]
    if kind == "json_invalid":
        return BODY, f"{BODY}: {one['msg']}", AS_JSON
    if not place:
        return BODY, f"{BODY}: {'is missing' if kind == 'missing' else 'is no JSON object'}", AS_JSON
    field = next((str(name) for name in reversed(place) if not isinstance(name, int)), BODY)
    if kind == "extra_forbidden":
        return (field, *_unknown(request, one["loc"], field))
    return field, f"{'.'.join(map(str, place))}: {one['msg']}", SEE


def _unknown(request: Request, place: Sequence[Any], name: str) -> tuple[str, str]:
    """A name that the verb does not take, with those near it that it takes."""
    verb = BY_NAME.get(getattr(request.scope.get("route"), "name", ""))
    if verb is None:
        return f"{name}: is not known", SEE
    if place[0] == BODY and name == "mind" and verb.of_mind:
        return "mind: does not stand in the body", "Put it into the address, as ?mind=NAME"
    depth = len(place) - 1
    takes = (*verb.takes, *(("mind",) if verb.of_mind else ())) if depth == 1 else tuple(TURN["properties"])
    told = InvalidInput.choice(name, name, takes)
    return f"{name}: is not known", told.remedy
