"""A verb as data: where it lives, what it takes and answers, and its name behind every door."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from noosphere.serve.verbs.field import Field

Scope = Literal["read", "write", "admin"]


@dataclass(frozen=True, slots=True)
class Empty:
    """A cell of the table that is empty on purpose, and why."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One row of the table.

    Attributes:
        name: the verb.
        python: where it lives, from `mind` or `noosphere` on.
        help: one sentence that says what it does.
        scope: what a caller must be allowed to do; "write" also names the mind it changes.
        takes: its arguments by name.
        needs: those that cannot be left out.
        answers: the classes it answers with, as module.Class below `noosphere`; none for plain JSON.
        many: whether it answers with a list of them.
        listed: classes of which it may also answer a list.
        rest: method and path.
        cli: the command's words, with its positional arguments in braces.
        tool: the MCP tool through which it is reached.
        routed: whether a verb of the noosphere is told which mind it changes, and routes from there.
        shape: makes the call's arguments out of the wire's, where they are not the same.
    """

    name: str
    python: str
    help: str
    scope: Scope
    takes: Mapping[str, Field] = field(default_factory=dict[str, "Field"])
    needs: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    many: bool = False
    listed: tuple[str, ...] = ()
    rest: str | Empty
    cli: str | Empty
    tool: str | Empty
    routed: bool = False
    shape: Callable[[dict[str, Any]], tuple[tuple[Any, ...], dict[str, Any]]] | None = None

    @property
    def owner(self) -> str:
        """`mind` or `noosphere`."""
        return self.python.partition(".")[0]

    @property
    def of_mind(self) -> bool:
        """Whether a caller names the mind beside the arguments."""
        return self.owner == "mind" or self.routed

    @property
    def path_names(self) -> tuple[str, ...]:
        """The arguments that stand in the REST path."""
        if isinstance(self.rest, Empty):
            return ()
        return tuple(part[1:-1] for part in self.rest.split("/") if part.startswith("{"))
