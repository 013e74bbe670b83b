"""A tool as data: when to use it and when not, what it takes, and what it does."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from noosphere.errors import InvalidInput, NotFound
from noosphere.serve.verbs.call import call, document
from noosphere.serve.verbs.field import Field
from noosphere.serve.verbs.table import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from noosphere.minds.noosphere import Noosphere

    Progress = Callable[[float, str], None]

WORD = re.compile(r"(?<!['\"\w])[a-z]+_[a-z_]+\b")
MIND = Field(
    kind="text",
    help='Which mind: "personal" or a workspace by its slug. A change must name it as soon as there are several.',
)


@dataclass(frozen=True, slots=True)
class Door:
    """What a tool works with: the minds, and where to tell how far a long call has come."""

    noosphere: Noosphere
    progress: Progress

    def verb(self, name: str, given: Mapping[str, Any], mind: str | None = None) -> Any:
        """Call a verb of the table and return its value."""
        return call(self.noosphere, BY_NAME[name], dict(given), mind=mind)

    def told(self, name: str, given: Mapping[str, Any], mind: str | None = None) -> dict[str, Any]:
        """Call a verb of the table and return its value as a JSON object."""
        shown = self.by_slug(document(self.verb(name, given, mind), "mcp"))
        return cast("dict[str, Any]", shown) if isinstance(shown, dict) else {"items": shown}

    def by_slug(self, shown: Any) -> Any:
        """JSON in which minds are named as a call names them."""
        if isinstance(shown, list):
            return [self.by_slug(item) for item in cast("list[Any]", shown)]
        if not isinstance(shown, dict):
            return shown
        told = {name: self.by_slug(value) for name, value in cast("dict[str, Any]", shown).items()}
        return {**told, "mind": self.noosphere.name_of(told["mind"])} if isinstance(told.get("mind"), str) else told


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answers: a JSON object, and a text for those who read only that."""

    structured: dict[str, Any]
    text: str | None = None

    def as_text(self) -> str:
        """The text, or the object as JSON."""
        return self.text if self.text is not None else json.dumps(self.structured, ensure_ascii=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool.

    Attributes:
        name: as clients call it.
        title: as people read it.
        use: when to use it, and what it does.
        avoid: when not to, and what to use then.
        takes: its arguments.
        needs: those that cannot be left out.
        called: what a verb calls otherwise: its argument, and the tool's.
        gives: the properties of what it answers, as JSON Schema.
        reads: whether it changes nothing.
        destroys: whether it takes something out of sight.
        run: does it.
    """

    name: str
    title: str
    use: str
    avoid: str
    takes: Mapping[str, Field]
    needs: tuple[str, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict[str, str])
    gives: Mapping[str, Any] = field(default_factory=dict[str, Any])
    reads: bool = False
    destroys: bool = False
    run: Callable[[Door, dict[str, Any]], Answer]

    @property
    def description(self) -> str:
        """When to use it and when not."""
        return f"{self.use} {self.avoid}"

    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments: one flat object."""
        properties = {name: field.schema() for name, field in self.takes.items()}
        schema = {"type": "object", "properties": properties, "additionalProperties": False}
        return {**schema, "required": list(self.needs)} if self.needs else schema

    def output_schema(self) -> dict[str, Any]:
        """The JSON Schema of its answer: one flat object, which may hold more."""
        return {"type": "object", "properties": dict(self.gives)}

    def call(self, noosphere: Noosphere, progress: Progress, given: Mapping[str, Any]) -> Answer:
        """Check the names and kinds of the arguments and do it; null means left out.

        Raises:
            InvalidInput: an argument is unknown, missing or has the wrong form.
        """
        arguments = {name: _whole(value) for name, value in given.items() if value is not None}
        for name, value in arguments.items():
            if name not in self.takes:
                raise InvalidInput.choice(self.name, name, self.takes)
            self.takes[name].check(name, value)
        for name in self.needs:
            if name not in arguments:
                raise InvalidInput(name, "is missing", f"{self.name} needs {', '.join(self.needs)}")
        try:
            return self.run(Door(noosphere, progress), arguments)
        except InvalidInput as problem:
            field = self.called.get(problem.field, problem.field)
            raise InvalidInput(field, problem.problem, self._reworded(problem.remedy)) from problem
        except NotFound as problem:
            raise NotFound(problem.what, problem.key, self._reworded(problem.remedy)) from problem

    def _reworded(self, remedy: str) -> str:
        """A remedy with the names that the arguments have here."""
        return WORD.sub(lambda found: self.called.get(found.group(), found.group()), remedy)


def _whole(value: Any) -> Any:
    """A number as JSON Schema reads it: 3.0 is the integer 3."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
