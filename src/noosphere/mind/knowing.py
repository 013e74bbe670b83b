"""The verbs about entities: relate, search, neighbours, ways along a relation, distances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.mind.opened import Opened
from noosphere.model.argument import read_many, read_options

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date, datetime

    from noosphere.model.outcome import Linked, Refused
    from noosphere.model.related import Alike, Distance, Related, Traversed
    from noosphere.write.ontology import OntologyOfMind

    Time = datetime | date | str


class Knowing(Opened):
    """Who and what there is, and how these bear on each other."""

    @property
    def ontology(self) -> OntologyOfMind:
        """What types and relations there are: types, relations, add_type, add_relation."""
        from noosphere.write.ontology import OntologyOfMind

        return OntologyOfMind(self._graph)

    def relate(self, src: str, relation: str, dst: str, **about: Any) -> Linked | Refused:
        """Say how one entity bears on another, by name or id; "leads" sets the same edge as led_by, turned round.

        `about` may hold src_type and dst_type (to make what is not there), weight, claim, evidence, valid_from,
        valid_to. What the ontology forbids is refused with the rule named.

        Raises:
            InvalidInput: an unknown relation or type, or a name that is several things.
            NotFound: nothing has a name or id, and no type was given to make it.
        """
        from noosphere.write import relate

        return relate.relate(self._graph, src, relation, dst, **read_options(about, relate.OPTIONS, "relate"))

    def search_entities(self, text: str, *, type: str | None = None, limit: int = 10) -> list[Alike]:
        """Entities whose names are like a text, the most alike first; `entity(name)` looks up exactly.

        Raises:
            InvalidInput: an unknown type, or a limit outside 1..100.
        """
        from noosphere.insight import related

        with self._seen.read() as sql:
            return related.search(sql, text, type_=type, limit=limit)

    def neighbours(self, name: str, *, relation: str | None = None, limit: int = 50, **past: Any) -> list[Related]:
        """What stands beside an entity, by name or id, the heaviest edge first.

        `past` may hold as_of, known_at and include_past.

        Raises:
            InvalidInput: an unknown relation, or a limit outside 1..256.
            NotFound: no entity has this name or id.
        """
        from noosphere.insight import related

        view = self._view(**read_options(past, PAST, "neighbours"))
        with self._seen.read() as sql:
            return related.neighbours(sql, name, view, relation=relation, limit=limit)

    def traverse(self, name: str, relation: str, *, depth: int = 6, **past: Any) -> list[Traversed]:
        """What is reached by following one relation, or its inverse, from an entity, the nearest first.

        `past` may hold as_of, known_at and include_past.

        Raises:
            InvalidInput: an unknown relation, or a depth outside 1..6.
            NotFound: no entity has this name or id.
        """
        from noosphere.insight import related

        view = self._view(**read_options(past, PAST, "traverse"))
        with self._seen.read() as sql:
            return related.traverse(sql, name, relation, view, depth=depth)

    def distances(self, seeds: Iterable[str], *, depth: int = 3, **past: Any) -> list[Distance]:
        """How many edges lie between entities and the nearest of the seeds, the nearest first.

        `past` may hold as_of, known_at and include_past.

        Raises:
            InvalidInput: no seeds, or a depth outside 1..6.
            NotFound: no entity has one of the names or ids.
        """
        from noosphere.insight import related

        view = self._view(**read_options(past, PAST, "distances"))
        with self._seen.read() as sql:
            return related.distances(sql, read_many(seeds, "seeds"), view, depth=depth)


PAST = ("as_of", "known_at", "include_past")
