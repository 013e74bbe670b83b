"""From an exception to what a person reads, what a script parses, and an exit code."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any

import typer

from noosphere.errors import InvalidInput, NoosphereError, NotFound, cut
from noosphere.serve.cli.output import note, write_json
from noosphere.serve.cli.wording import failure_in_commands, in_commands

if TYPE_CHECKING:
    from collections.abc import Mapping

NOTHING = 1  # refused, or not found where that matters
USAGE = 2
TROUBLE = 3  # a file, a model or an invariant


def report(problem: Exception, *, as_json: bool, options: Mapping[str, str] | None = None) -> int:
    """Say what went wrong and return the exit code.

    The words always go to standard error; with `as_json` standard output holds one document
    {"error": {"type", "message", …}} beside, so that a script parses one stream whatever happens.
    `options` are what the command's arguments are called on the command line.
    """
    code = code_of(problem)
    words = _in_words(problem, options or {})
    if as_json:
        write_json({"error": describe(problem, words)})
    note(f"noosphere: {words}", style="bad")
    if not _expected(problem):
        note("".join(traceback.format_exception(problem)).rstrip())
    return code


def code_of(problem: Exception) -> int:
    """The exit code of a failure; a mind by a wrong name is a usage error, an id that is not there is not."""
    match problem:
        case NotFound():
            return USAGE if problem.what == "mind" else NOTHING
        case InvalidInput() | UnicodeEncodeError() | typer.TyperException():
            return USAGE
        case _:
            return TROUBLE


def describe(problem: Exception, words: str) -> dict[str, Any]:
    """A failure as JSON: its type, its message, and the data that it carries."""
    if isinstance(problem, typer.TyperException):
        return {"type": "UsageError", "message": problem.format_message()}
    said = {"type": type(problem).__name__, "message": words}
    return {**vars(problem), **said} if isinstance(problem, NoosphereError) else said


def _in_words(problem: Exception, options: Mapping[str, str]) -> str:
    match problem:
        case InvalidInput():
            field = options.get(problem.field, problem.field)
            return f"{field}: {in_commands(problem.problem, options)}. {in_commands(problem.remedy, options)}"
        case NoosphereError():
            return failure_in_commands(problem, options)
        case typer.TyperException():
            return f"{problem.format_message()}{_where_to_look(problem)}"
        case UnicodeEncodeError():
            return f"an argument holds {_piece(problem)}, which is no text. Give it as UTF-8"
        case OSError():
            return f"{_place(problem)}: {problem.strerror or problem}. Check the path and its permissions"
        case _:
            return f"internal error: {type(problem).__name__}: {problem}. Please report it with the lines below"


def _where_to_look(problem: typer.TyperException) -> str:
    path = getattr(getattr(problem, "ctx", None), "command_path", None)
    return f" See `{path} --help`" if path else ""


def _piece(problem: UnicodeEncodeError) -> str:
    return ascii(problem.object[problem.start : problem.end])


def _place(problem: OSError) -> str:
    return cut(str(problem.filename or "input or output"))


def _expected(problem: Exception) -> bool:
    return isinstance(problem, (NoosphereError, typer.TyperException, UnicodeEncodeError, OSError))
