"""One call of the command: which mind it opens, and how it answers."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from noosphere.records import dataclass
from noosphere.serve.cli.failures import NOTHING
from noosphere.serve.cli.output import note, write_json, write_lines

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from types import TracebackType

    from noosphere.mind import Mind
    from noosphere.minds.noosphere import Noosphere
    from noosphere.serve.cli.output import Line
    from noosphere.settings import Settings

CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The options that stand before the command's name or after it."""

    home: str | None = None
    mind: str | None = None
    actor: str | None = None
    json: bool = False

    def under(self, later: Said) -> Said:
        """These options, where `later` says nothing else."""
        given = {name: value for name in ("home", "mind", "actor") if (value := getattr(later, name)) is not None}
        return replace(self, **given, json=self.json or later.json)


class Call:
    """One call: it opens at most one mind, and closes it at the end."""

    def __init__(self, said: Said) -> None:
        self.said = said
        self._mind: Mind | None = None

    def reading(self) -> Mind:
        """The mind, for a verb that only reads; one that cannot be written is good enough."""
        from noosphere.errors import ReadOnlyMind

        try:
            return self._open()
        except ReadOnlyMind:
            return self._open(read_only=True)

    def changing(self) -> Mind:
        """The mind, for a verb that changes what is there already; named, when there are several."""
        return self._open(change=True)

    def creating(self) -> Mind:
        """The mind, for a verb that may put the first thing into it; named, when there are several."""
        return self._open(create=True, change=True)

    def settings(self) -> Settings:
        """What is in force for this call."""
        from noosphere.settings import load

        return load(self.said.home, mind=self.said.mind, actor=self.said.actor)

    def answer(self, document: Any, lines: Iterable[Line], *, code: int = 0, none: str = "nothing to show") -> int:
        """Write a value as JSON, or lines for people; where there are no lines, `none` says so beside the answer."""
        if self.said.json:
            from noosphere.model.plain import plain

            write_json(plain(document))
        elif shown := list(lines):
            write_lines(shown)
        elif none:
            note(none)
        return code

    def outcome(self, outcome: object, word: str | None = None) -> int:
        """Write what a writing verb answered; a refusal is exit code 1."""
        from noosphere.model.outcome import Refused
        from noosphere.model.plain import plain
        from noosphere.serve.cli.lines import outcome_lines

        document: dict[str, Any] = {"outcome": word or outcome_word(outcome), **plain(outcome)}
        return self.answer(document, outcome_lines(document), code=NOTHING if isinstance(outcome, Refused) else 0)

    @contextmanager
    def home(self, channel: str = "cli", *, background: bool = True) -> Generator[Noosphere]:
        """All minds of the home."""
        from noosphere.minds import open_noosphere

        settings = self.settings()
        if not background:
            settings = settings.override("one-shot command", {"background": False})
        with open_noosphere(settings=settings, channel=channel) as noosphere:
            yield noosphere

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self._mind is not None:
            self._mind.close()

    def _open(self, *, create: bool = False, change: bool = False, read_only: bool = False) -> Mind:
        from noosphere.minds import open_mind
        from noosphere.minds.choosing import check_named
        from noosphere.minds.naming import is_path

        settings = self.settings()
        if change:
            check_named(settings)
        settings = settings.override("one-shot command", {"background": False})
        # A name of this home is made a mind when it is first asked for; the path of a file must be right to be read.
        may_create = create or not is_path(settings.mind)
        self._mind = open_mind(settings=settings, channel="cli", create=may_create, read_only=read_only)
        return self._mind


def outcome_word(outcome: object) -> str:
    """The name of an outcome as scripts see it: its class in snake case."""
    return CAPITAL.sub("_", type(outcome).__name__).lower()
