"""Making commands: a function with a `Call` becomes a command that also takes the options of every command."""

from __future__ import annotations

import inspect
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

import typer

from noosphere.errors import NoosphereError
from noosphere.serve.cli.call import Call, Said
from noosphere.serve.cli.options import EVERYWHERE, SLUG
from noosphere.serve.cli.parameters import Command

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Body = Callable[..., int]


def command(
    group: typer.Typer, name: str, *, examples: str, options: Mapping[str, Any] | None = None
) -> Callable[[Body], Body]:
    """Add a function to a group as a command.

    Args:
        group: where it belongs.
        name: as people type it.
        examples: one line each, shown under the help.
        options: annotated types by name, which the function takes together as its `**` parameter;
            those that were not given are left out.
    """

    def register(body: Body) -> Body:
        def invoke(context: typer.Context, **given: Any) -> int:
            said = said_before(context).under(Said(**{option: given.pop(option) for option in EVERYWHERE}))
            try:
                with Call(said) as call:
                    return body(call, **{key: told for key, told in given.items() if not _left_out(key, told, options)})
            except NoosphereError as problem:
                from noosphere.serve.cli.failures import report

                return report(problem, as_json=said.json, options=_as_typed(context))

        # Typer reads the signature: the function's own parameters, then the shared ones.
        invoke.__signature__ = _signature(body, options or {})  # pyright: ignore[reportFunctionMemberAccess]
        epilog = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in inspect.cleandoc(examples).splitlines())
        group.command(name, cls=Command, help=inspect.getdoc(body), epilog=epilog)(invoke)
        return body

    return register


def said_before(context: typer.Context) -> Said:
    """The options that stood before the command's name."""
    found = context.find_root().obj
    return found if isinstance(found, Said) else Said()


def _as_typed(context: typer.Context) -> dict[str, str]:
    """What the command's parameters are called by who types them."""
    params = context.command.params
    options = {param.name: max(param.opts, key=len) for param in params if param.opts[0].startswith("-")}
    if any(param.metavar == SLUG for param in params):  # a mind by its name: what is wrong is that, and not --mind
        del options["mind"]
    return options


def _left_out(key: str, value: object, options: Mapping[str, Any] | None) -> bool:
    return value is None and options is not None and key in options


def _signature(body: Body, options: Mapping[str, Any]) -> Signature:
    own = [p for p in list(inspect.signature(body).parameters.values())[1:] if p.kind is not Parameter.VAR_KEYWORD]
    shared = [_option(name, kind) for name, kind in (*options.items(), *EVERYWHERE.items())]
    context = Parameter("context", Parameter.KEYWORD_ONLY, annotation=typer.Context)
    return Signature([context, *(p.replace(kind=Parameter.KEYWORD_ONLY) for p in own), *shared])


def _option(name: str, kind: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=False if name == "json" else None, annotation=kind)
