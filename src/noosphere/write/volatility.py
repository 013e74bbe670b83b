"""How quickly a statement goes stale, by rules from a data file; without a model."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from noosphere.model.late import Late
from noosphere.model.vocabulary import Kind, Volatility
from noosphere.model.ways import Ways

if TYPE_CHECKING:
    from noosphere.write.parse import Parsed

READ = 2000  # characters: a longer text is a document, which is what it is


@dataclass(frozen=True, slots=True)
class Rule:
    """A way to say something that goes stale at a certain pace, or that does not."""

    id: str
    gives: Volatility
    pattern: Late
    unless: Late | None

    def meets(self, text: str) -> bool:
        """Whether a text is of this kind."""
        return self.pattern.compiled.search(text) is not None and not self.spares(text)

    def spares(self, text: str) -> bool:
        """Whether a text holds what makes it of another kind."""
        return self.unless is not None and self.unless.compiled.search(text) is not None


def with_volatility(memory: Parsed, given: str | None) -> Parsed:
    """The memory, and what is drawn from it, with the volatility of its words, unless its caller gave one."""
    if given is not None:
        return memory
    pace = _of(memory)
    if pace is memory.state.volatility and not memory.drawn:
        return memory
    drawn = tuple(with_volatility(one, None) for one in memory.drawn)
    return memory._replace(state=memory.state._replace(volatility=pace), drawn=drawn)


def _of(memory: Parsed) -> Volatility:
    return Volatility.DURABLE if memory.state.kind is Kind.EPISODIC else volatility_of(memory.text)


def volatility_of(text: str) -> Volatility:
    """The volatility of a statement: of the first rule that meets it, durable when none does."""
    if len(text) > READ:
        return Volatility.DURABLE
    known = rules()
    for n in _ways().matching(text):
        if not known[n].spares(text):
            return known[n].gives
    return Volatility.DURABLE


@cache
def _ways() -> Ways:
    """The ways to say each rule."""
    return Ways(rule.pattern.source for rule in rules())


@cache
def rules() -> tuple[Rule, ...]:
    """Read the rules, once."""
    return tuple(_rule(given) for given in data()["rule"])


@cache
def data() -> dict[str, Any]:
    """The file of rules as it stands."""
    return tomllib.loads(resources.files("noosphere.write").joinpath("volatility.toml").read_text(encoding="utf-8"))


def _rule(given: dict[str, Any]) -> Rule:
    return Rule(
        id=given["id"],
        gives=Volatility(given["gives"]),
        pattern=Late(given["pattern"]),
        unless=Late(given["unless"]) if "unless" in given else None,
    )
