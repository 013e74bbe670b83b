"""Facts found by rules: the slots that a text fills or empties, what it corrects and what it ends. Rules are data."""

from noosphere.graph.facts.corrections import Correction, found_correction
from noosphere.graph.facts.detect import FoundSlot, found_slots
from noosphere.graph.facts.endings import Ending, content, found_endings
from noosphere.graph.facts.rulebook import is_gone, updates
from noosphere.graph.facts.subjects import names_person
from noosphere.graph.facts.topics import topic
from noosphere.graph.facts.when import spell

__all__ = [
    "Correction",
    "Ending",
    "FoundSlot",
    "content",
    "found_correction",
    "found_endings",
    "found_slots",
    "is_gone",
    "names_person",
    "spell",
    "topic",
    "updates",
]
