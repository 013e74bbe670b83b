"""Where in a streamed JSON file the conversations of an export lie, and reading them one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.harvest.encoding import TextStream
from noosphere.harvest.items import Left, Omission, Reject
from noosphere.harvest.jsonstream import EACH, BadJson, JsonReader, Path, find_key, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from noosphere.harvest.items import Found
    from noosphere.harvest.members import Member

    ReadOne = Callable[[JsonReader, str, bool], Iterator[Found]]

NESTING = 3  # how far down a conversation may lie: in an array, under "conversations", in a browser's capture


def place_of(member: Member, key: str, remedy: str) -> Path | Reject:
    """Where the records with this key lie: the file itself, its array, or a field of it; a reject when nowhere."""
    with member.open() as raw:
        try:
            path = find_key(JsonReader(TextStream(raw)), key, NESTING)
        except BadJson as problem:
            return Reject(member.origin, "file", f"is not JSON: {problem}", remedy)
    return Reject(member.origin, "file", "holds no conversation", remedy) if path is None else path


def conversations_in(member: Member, key: str, remedy: str, one: ReadOne, *, beside: bool = False) -> Iterator[Found]:
    """Read the conversations of a file one by one; a broken place costs only what comes after it.

    Args:
        member: the file.
        key: what each of them has.
        remedy: what to do about a file that cannot be read.
        one: reads one, with its place; whether it surely is one, and not a field that stands beside one.
        beside: whether fields beside the one where the first lies may be conversations too.
    """
    path = place_of(member, key, remedy)
    if not isinstance(path, tuple):
        yield path
        return
    is_field = beside and bool(path) and path[-1] is not EACH
    count = 0
    with member.open() as raw:
        stream = TextStream(raw)
        reader = JsonReader(stream)
        try:
            for _ in walk(reader, (*path[:-1], EACH) if is_field else path):
                yield from one(reader, f"{member.origin}#{count + 1}", not is_field)
                count += 1
        except BadJson as problem:
            why = f"is not JSON after conversation {count}, before byte {stream.taken}: {problem}"
            yield Reject(member.origin, "the rest of the file", why, remedy)
        if stream.replaced:
            yield Left(member.origin, Omission.UNREADABLE_BYTES, stream.replaced)
