"""What a mind says of types and relations beyond the default ontology."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from noosphere.errors import InvalidInput, shown
from noosphere.graph.rules import rules_of
from noosphere.model.argument import read_many
from noosphere.model.edge import EdgeType
from noosphere.model.outcome import OntologyChanged, Reason, Refused
from noosphere.store import nodes, ontology

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.store.mind_file import MindFile
    from noosphere.store.transaction import Tx

NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


class OntologyOfMind:
    """The types and relations of a mind: what there is, and how to add to it."""

    def __init__(self, mind: MindFile) -> None:
        self._mind = mind

    def types(self) -> list[str]:
        """The types of entities."""
        with self._mind.read() as sql:
            return nodes.entity_types(sql)

    def relations(self) -> dict[str, str]:
        """Every relation with its inverse."""
        with self._mind.read() as sql:
            return {name: relation.inverse for name, relation in rules_of(sql).relations.items()}

    def add_type(self, name: str, *, requires: Iterable[str] = ()) -> OntologyChanged | Refused:
        """Add a type of entities, or say anew what properties one requires; `undo` takes that back.

        Raises:
            InvalidInput: the name is no lower-case word.
        """
        rule = {"requires": [_name(one, "requires") for one in read_many(requires, "requires")]}
        with self._mind.write() as tx:
            return _change(tx, ontology.ENTITY_TYPES, _name(name, "name"), rule)

    def add_relation(
        self, name: str, *, inverse: str, src: Iterable[str] = (), dst: Iterable[str] = ()
    ) -> OntologyChanged | Refused:
        """Add a relation, or say anew what it joins; no types allow any, the first is the likeliest. `undo` works.

        Raises:
            InvalidInput: a name is no lower-case word or is taken, or a type is unknown.
        """
        name, inverse = _name(name, "name"), _name(inverse, "inverse")
        ends = {"src": list(read_many(src, "src")), "dst": list(read_many(dst, "dst"))}
        with self._mind.write() as tx:
            rules = rules_of(tx.sql)
            known = nodes.entity_types(tx.sql)
            for field, types in ends.items():
                unknown = next((one for one in types if one not in known), None)
                if unknown is not None:
                    raise InvalidInput.choice(field, str(unknown), known)
            if name in set(EdgeType) or name in rules.inverses or rules.inverses.get(inverse, name) != name:
                raise InvalidInput("name", f"{name} or {inverse} has a meaning already", "Choose other names")
            return _change(tx, ontology.EDGE_TYPES, name, {"inverse": inverse, **ends})


def _change(tx: Tx, registry: str, name: str, rule: dict[str, Any]) -> OntologyChanged | Refused:
    entry = tx.open("ontology")
    if not ontology.set_rule(tx, entry, registry, name, rule):
        tx.abandon(entry)
        return Refused(reason=Reason.UNCHANGED, message=f"this is said of {name} already")
    return OntologyChanged(name=name, journal=tx.close(entry))


def _name(value: object, field: str) -> str:
    if not isinstance(value, str) or NAME.fullmatch(value) is None:
        raise InvalidInput(field, f"{shown(value)} is no lower-case word", "Use a-z, digits and _")
    return value
