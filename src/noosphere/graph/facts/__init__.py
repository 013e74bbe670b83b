"""Facts found by rules: the slots that a text fills or empties, and what it corrects. Rules are data."""

from noosphere.graph.facts.corrections import Correction, found_correction
from noosphere.graph.facts.detect import FoundSlot, found_slots

__all__ = ["Correction", "FoundSlot", "found_correction", "found_slots"]
