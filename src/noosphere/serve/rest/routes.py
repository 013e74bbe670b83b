"""Routes made from the table of verbs: FastAPI reads their signatures, the engine does the rest."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import Path, Query
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field, create_model

from noosphere.serve.rest.problem import documented
from noosphere.serve.verbs.answer import schema_of
from noosphere.serve.verbs.call import call, document, is_refused
from noosphere.serve.verbs.verb import Empty

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import FastAPI

    from noosphere.minds.noosphere import Noosphere
    from noosphere.serve.verbs.field import Field as Argument
    from noosphere.serve.verbs.verb import Verb

REFUSED = {
    "type": "object",
    "title": "Refused",
    "properties": {"outcome": {"const": "refused"}, "reason": {"type": "string"}, "message": {"type": "string"}},
    "required": ["outcome", "reason", "message"],
}
CONFLICT = 409
WITH_BODY = ("POST", "PATCH")
MIND = 'Which mind: "personal" or a workspace by its slug; a change must name it when there are several.'
MAX_TURNS = 1000


class TurnModel(BaseModel):
    """A turn of a conversation."""

    model_config = ConfigDict(extra="forbid")
    key: str
    speaker: str
    text: str
    at: str | None = None
    speaker_role: str | None = None
    session: str | None = None
    parent: str | None = None


def add_routes(app: FastAPI, noosphere: Noosphere, verbs: tuple[Verb, ...]) -> dict[str, str]:
    """Add one route a verb; returns the scope that each needs, by the route's name."""
    scopes: dict[str, str] = {}
    for verb in verbs:
        if isinstance(verb.rest, Empty):
            continue
        method, _, path = verb.rest.partition(" ")
        app.add_api_route(
            path,
            _endpoint(noosphere, verb, method),
            methods=[method],
            name=verb.name,
            operation_id=verb.name.replace(".", "_"),
            summary=verb.help,
            tags=[verb.name.partition(".")[0]],
            response_model=None,
            responses=answers(verb),
        )
        scopes[verb.name] = verb.scope
    return scopes


def answers(verb: Verb) -> dict[int | str, dict[str, Any]]:
    """What a route answers, as OpenAPI has it."""
    return refusable() | {200: {"description": verb.help, "content": {"application/json": {"schema": schema_of(verb)}}}}


def refusable() -> dict[int | str, dict[str, Any]]:
    """The problems that any route may answer with, and what a verb says that refused to do it."""
    found = documented()
    found[CONFLICT]["content"]["application/json"] = {"schema": REFUSED}
    return found


def model_of(verb: Verb, *, mind: bool) -> type[BaseModel] | None:
    """The arguments of a verb that do not stand in its path, as a pydantic model; None when there are none."""
    fields: dict[str, Any] = {
        name: _field(argument, needed=name in verb.needs)
        for name, argument in verb.takes.items()
        if name not in verb.path_names
    }
    if mind:
        fields["mind"] = (str | None, Field(None, description=MIND))
    if not fields:
        return None
    title = "".join(part.capitalize() for part in verb.name.replace(".", "_").split("_"))
    return create_model(f"{title}Arguments", __config__=ConfigDict(extra="forbid"), **fields)


def _endpoint(noosphere: Noosphere, verb: Verb, method: str) -> Callable[..., JSONResponse]:
    """A function that FastAPI calls in a thread, with the signature that the verb has on the wire."""
    of_mind, in_body = verb.of_mind, method in WITH_BODY
    model = model_of(verb, mind=of_mind and not in_body)

    def endpoint(**given: Any) -> JSONResponse:
        mind: str | None = given.pop("mind", None)
        sent: BaseModel | None = given.pop("arguments", None)
        arguments: dict[str, Any] = {**given, **(sent.model_dump(exclude_none=True) if sent else {})}
        value = call(noosphere, verb, arguments, mind=arguments.pop("mind", mind))
        return JSONResponse(document(value, "rest"), CONFLICT if is_refused(value) else 200)

    keyword = Parameter.KEYWORD_ONLY
    parameters = [
        Parameter(name, keyword, annotation=Annotated[str, Path(description=verb.takes[name].help)])
        for name in verb.path_names
    ]
    if model is not None:
        annotation: Any = model if in_body else Annotated[model, Query()]
        optional = in_body and not any(field.is_required() for field in model.model_fields.values())
        if optional:
            annotation = annotation | None
        parameters.append(
            Parameter("arguments", keyword, default=None if optional else Parameter.empty, annotation=annotation)
        )
    if of_mind and in_body:
        mind_query = Annotated[str | None, Query(description=MIND)]
        parameters.append(Parameter("mind", keyword, default=None, annotation=mind_query))
    endpoint.__signature__ = Signature(parameters)  # pyright: ignore[reportFunctionMemberAccess]
    return endpoint


def _field(argument: Argument, *, needed: bool) -> Any:  # noqa: C901  (one case a kind of argument)
    kind: Any
    match argument.kind:
        case "text":
            kind = str
        case "word":
            kind = Literal[*argument.words]
        case "texts":
            kind = list[str]
        case "words":
            kind = list[Literal[*argument.words]]
        case "turns":
            kind = Annotated[list[TurnModel], Field(max_length=MAX_TURNS)]
        case "share":
            kind = Annotated[float, Field(ge=0, le=1)]
        case "flag":
            kind = bool
        case "object":
            kind = dict[str, Any]
        case "whole":
            kind = Annotated[int, Field(ge=argument.least, le=argument.most)]
    if needed:
        return kind, Field(description=argument.help)
    return kind | None, Field(None, description=argument.help)
