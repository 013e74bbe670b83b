"""From what a text says to entities, their relations and the bridge from a memory to what it mentions."""

from noosphere.write.graph.bridge import loosen, tie_names
from noosphere.write.graph.changed import retie
from noosphere.write.graph.entities import entities_of

__all__ = ["entities_of", "loosen", "retie", "tie_names"]
