"""From what a text says to entities, their relations and the bridge from a memory to what it mentions."""

from noosphere.write.graph.bridge import loosen, tie_names
from noosphere.write.graph.changed import retie
from noosphere.write.graph.entities import entities_of
from noosphere.write.graph.naming import name_now, name_waiting, name_written, names_wait

__all__ = [
    "entities_of",
    "loosen",
    "name_now",
    "name_waiting",
    "name_written",
    "names_wait",
    "retie",
    "tie_names",
]
