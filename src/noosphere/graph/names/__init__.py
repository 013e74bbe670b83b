"""Names in a text: what they name, of which type, and what looks like a name and is none."""

from noosphere.graph.names.detect import found_names
from noosphere.graph.names.mention import Mention
from noosphere.graph.names.noise import noise

__all__ = ["Mention", "found_names", "noise"]
