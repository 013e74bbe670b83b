"""The ontology: the types of entities, what they require, and which relations may join which types."""

from __future__ import annotations

import tomllib
from dataclasses import field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A relation that reads `src name dst`; no types allow any.

    Attributes:
        inverse: its name read from the other end.
    """

    name: str
    inverse: str
    src: tuple[str, ...]
    dst: tuple[str, ...]

    def forbids(self, src: str, dst: str) -> str | None:
        """Name the rule that keeps this relation from joining these types; None when it may."""
        for end, allowed, got in (("from", self.src, src), ("to", self.dst, dst)):
            if allowed and got not in allowed:
                return f"{self.name} leads {end} {_either(allowed)}, not {end} {got}"
        return None


@dataclass(frozen=True, slots=True)
class Ontology:
    """Types and relations by name."""

    requires: Mapping[str, tuple[str, ...]]
    relations: Mapping[str, Relation]
    inverses: Mapping[str, str] = field(default_factory=dict[str, str])

    def reading(self, name: str) -> tuple[Relation, bool] | None:
        """The relation of this name and whether the name reads it from the other end; None for no relation."""
        if name in self.relations:
            return self.relations[name], False
        other = self.inverses.get(name)
        return None if other is None else (self.relations[other], True)

    def lacks(self, type_: str, properties: Mapping[str, Any]) -> str | None:
        """Name the rule that an entity breaks; None when it has what its type requires."""
        missing = [name for name in self.requires.get(type_, ()) if properties.get(name) in (None, "")]
        return f"{type_} requires {', '.join(missing)}" if missing else None


@cache
def default_ontology() -> Ontology:
    """The ontology that every mind begins with."""
    given = default_data()
    return make_ontology(given["type"], given["relation"])


def default_data() -> dict[str, Any]:
    """The file of the default ontology as it stands."""
    return tomllib.loads(resources.files("noosphere.graph").joinpath("ontology.toml").read_text(encoding="utf-8"))


def make_ontology(types: Mapping[str, Mapping[str, Any]], relations: Mapping[str, Mapping[str, Any]]) -> Ontology:
    """Put an ontology together from what is written of its types and relations."""
    made = {
        name: Relation(name=name, inverse=of["inverse"], src=tuple(of["src"]), dst=tuple(of["dst"]))
        for name, of in relations.items()
    }
    return Ontology(
        {name: tuple(of["requires"]) for name, of in types.items()},
        made,
        {relation.inverse: name for name, relation in made.items()},
    )


def _either(types: tuple[str, ...]) -> str:
    return " or ".join(types)
