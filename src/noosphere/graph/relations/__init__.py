"""Relations that a text states between names, directed as they are read."""

from noosphere.graph.relations.detect import Found, found_relations

__all__ = ["Found", "found_relations"]
