"""The ontology in force in a mind: the default one, and what the mind says beyond it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from noosphere.graph.ontology import default_data, default_ontology, make_ontology
from noosphere.store.ontology import own_rules

if TYPE_CHECKING:
    from noosphere.graph.ontology import Ontology
    from noosphere.store.connection import Connection


def rules_of(sql: Connection) -> Ontology:
    """The ontology of a mind."""
    types, relations = own_rules(sql)
    if not types and not relations:
        return default_ontology()
    return make_ontology({**_default()["type"], **types}, {**_default()["relation"], **relations})


@cache
def _default() -> dict[str, Any]:
    return default_data()
