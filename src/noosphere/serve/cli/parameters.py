"""Reading words into values: Typer does it with pydantic, which costs every command 90 ms of CPU.

Our options are texts, lists of texts, numbers and switches; for these a few lines do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from noosphere.errors import shown

if TYPE_CHECKING:
    from collections.abc import Callable

NUMBERS: dict[type, tuple[Callable[[str], float], str]] = {int: (int, "whole number"), float: (float, "number")}


class Command(TyperCommand):
    """A command whose options are read plainly."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Its options, --help among them."""
        return _plainly(super().get_params(ctx))


class Group(TyperGroup):
    """A group whose options are read plainly; a command may have two words, also where the first alone is one."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that these words begin with, and the words after it."""
        both = " ".join(args[:2])
        if len(args) > 1 and both in self.commands:
            return both, self.commands[both], args[2:]
        return super().resolve_command(ctx, args)

    def get_params(self, ctx: Any) -> list[Any]:
        """Its options, --help and those of completion among them."""
        return _plainly(super().get_params(ctx))


class Plain:
    """Stands where Typer puts an adapter of pydantic."""

    def coerce(self, value: Any, param: Any, ctx: typer.Context) -> Any:
        """Read what was typed as what the parameter is annotated with."""
        many = param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        if many:
            return [str(item) for item in value]
        kind = param.type_descriptor.annotation
        if kind not in NUMBERS or isinstance(value, (int, float)):
            return value
        read, name = NUMBERS[kind]
        try:
            return read(value)
        except ValueError:
            raise typer.BadParameter(f"{shown(value)} is not a {name}.", ctx=ctx, param=param) from None


PLAIN = Plain()


def _plainly(params: list[Any]) -> list[Any]:
    for param in params:
        param.get_runtime_param = lambda: PLAIN
    return params
