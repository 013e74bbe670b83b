"""Calling a verb of the table: the same for every server."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, cast

from noosphere.errors import InvalidInput, NotFound
from noosphere.ids import looks_like_uid
from noosphere.model.outcome import Refused
from noosphere.model.plain import plain
from noosphere.serve.verbs.wording import in_json

if TYPE_CHECKING:
    from noosphere.minds.noosphere import Noosphere
    from noosphere.serve.verbs.verb import Verb
    from noosphere.serve.verbs.wording import Wire


def call(noosphere: Noosphere, verb: Verb, given: dict[str, Any], *, mind: str | None = None) -> Any:
    """Call a verb and return its value.

    Args:
        noosphere: the minds of the home.
        verb: the row of the table.
        given: arguments by name; None means left out.
        mind: which mind, for a verb of a mind.

    Raises:
        InvalidInput: an argument is unknown, missing or has the wrong form.
        NotFound: there is no such mind or id.
    """
    arguments = {name: value for name, value in given.items() if value is not None}
    for name in arguments:
        if name not in verb.takes:
            raise InvalidInput.choice(verb.name, name, verb.takes)
    missing = [name for name in verb.needs if name not in arguments]
    if missing:
        raise InvalidInput(missing[0], "is missing", f"{verb.name} needs {', '.join(verb.needs)}")
    if verb.owner == "noosphere":
        return _invoke(noosphere, verb, arguments, **({"mind": mind} if verb.routed else {}))
    with noosphere.mind(mind) if verb.scope == "read" else noosphere.changing(mind) as chosen:
        try:
            return _invoke(chosen, verb, arguments)
        except NotFound as problem:
            raise _in_this_mind(noosphere, chosen.name, problem) from problem


def _in_this_mind(noosphere: Noosphere, name: str, problem: NotFound) -> NotFound:
    """An id that is not here may lie in another mind of the home."""
    others = [one.id for one in noosphere.workspaces.list() if one.id != name]
    if not others or not looks_like_uid(problem.key):
        return problem
    remedy = f"{problem.remedy}. Looked for in {name}: if it is in {' or '.join(others)}, name that with mind"
    return NotFound(problem.what, problem.key, remedy)


def document(value: Any, door: Wire | None = None) -> Any:
    """A verb's value as JSON; an outcome says its name as `outcome`, and a refusal what to do in the door's words."""
    shown: Any = plain(value)
    if not isinstance(shown, dict) or not _is_outcome(value):
        return cast("Any", shown)
    told = {"outcome": outcome_word(value), **cast("dict[str, Any]", shown)}
    return told | {"message": in_json(value.message, door)} if isinstance(value, Refused) and door else told


def is_refused(value: Any) -> bool:
    """Whether nothing was done, for a reason that is told."""
    return isinstance(value, Refused)


def outcome_word(outcome: object) -> str:
    """The name of an outcome: its class in snake case."""
    name = type(outcome).__name__
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


def _is_outcome(value: Any) -> bool:
    """Whether a value tells what was done: it names a journal entry, or was refused."""
    return is_refused(value) or isinstance(getattr(value, "journal", 0), str | None)


def _invoke(target: Any, verb: Verb, arguments: dict[str, Any], **more: Any) -> Any:
    called = reduce(getattr, verb.python.split(".")[1:], target)
    if verb.shape is None:
        return called(**arguments, **more)
    positional, named = verb.shape(arguments)
    return called(*positional, **named, **more)
