"""Where in a streamed JSON file the conversations of an export lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.harvest.encoding import TextStream
from noosphere.harvest.items import Reject
from noosphere.harvest.jsonstream import BadJson, JsonReader, Path, find_key

if TYPE_CHECKING:
    from noosphere.harvest.members import Member

NESTING = 3  # how far down a conversation may lie: in an array, under "conversations", in a browser's capture


def place_of(member: Member, key: str, remedy: str) -> Path | Reject:
    """Where the records with this key lie: the file itself, its array, or a field of it; a reject when nowhere."""
    with member.open() as raw:
        try:
            path = find_key(JsonReader(TextStream(raw)), key, NESTING)
        except BadJson as problem:
            return Reject(member.origin, "file", f"is not JSON: {problem}", remedy)
    return Reject(member.origin, "file", "holds no conversation", remedy) if path is None else path
