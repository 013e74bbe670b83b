"""One prompt of AI Studio, as it lies in Drive: an object with chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapters.gathering import REMEDY, Gathering
from noosphere.harvest.adapters.gemini_activity import NAME, SPEAKER
from noosphere.harvest.encoding import TextStream
from noosphere.harvest.items import USER, Found, Omission, Reject, TurnRole
from noosphere.harvest.jsonstream import BadJson, JsonReader
from noosphere.harvest.prose import stem_of
from noosphere.harvest.untrusted import as_flag, as_list, as_record, as_text, first_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.harvest.members import Member

FIELDS = frozenset({"id", "displayName", "title", "createTime", "updateTime"})
ROLES = {"user": (USER, TurnRole.USER), "model": (SPEAKER, TurnRole.ASSISTANT)}


def read_prompt(member: Member) -> Iterator[Found]:
    """Yield the conversation; without an id of its own it is known by its place."""
    gathering = Gathering(NAME, member.origin)
    fields: dict[str, Any] = {}
    with member.open() as raw:
        reader = JsonReader(TextStream(raw))
        try:
            for name in reader.fields():
                if name == "chunkedPrompt" and reader.peek() == "{":
                    _chunks(reader, gathering)
                elif name == "systemInstruction":
                    gathering.left[Omission.PROFILE] += bool(as_record(reader.value()))
                elif name in FIELDS:
                    fields[name] = reader.value()
        except BadJson as problem:
            yield Reject(member.origin, "the rest of the file", f"is not JSON: {problem}", REMEDY)
    key = first_text(fields, "id")
    gathering.talk.begun = gathering.talk.instant(fields.get("createTime"))
    yield from gathering.found(
        key or member.name,
        title=first_text(fields, "displayName", "title") or stem_of(member.name),
        current=next(reversed(gathering.talk.claims), None),
        updated=fields.get("updateTime"),
        path=None if key else member.name,
    )


def _chunks(reader: JsonReader, gathering: Gathering) -> None:
    last: str | None = None
    place = 0
    for name in reader.fields():
        if name != "chunks" or reader.peek() != "[":
            continue
        for _ in reader.elements():
            place += 1
            chunk = as_record(reader.value())
            if not chunk:
                gathering.refuse(f"chunk {place}", "is not an object")
            elif words := _words(chunk, gathering):
                last = _say(chunk, words, place, last, gathering)


def _say(chunk: dict[str, Any], words: str, place: int, last: str | None, gathering: Gathering) -> str | None:
    role = as_text(chunk.get("role"))
    if role not in ROLES:
        gathering.refuse(f"chunk {place}", f"has no role that is known: {role}")
        return last
    key = gathering.unique(first_text(chunk, "id") or f"chunk-{place}")
    branch = first_text(as_record(chunk.get("branchParent")), "id")
    gathering.talk.place(key, branch if branch in gathering.talk.claims else last)
    gathering.talk.say(key, *ROLES[role], words, chunk.get("createTime"))
    return key


def _words(chunk: dict[str, Any], gathering: Gathering) -> str:
    left = gathering.left
    if as_flag(chunk.get("isThought")):
        left[Omission.REASONING] += 1
        return ""
    parts = [as_record(part) for part in as_list(chunk.get("parts"))]
    for record in (chunk, *parts):
        left[Omission.TOOL_CALL] += "executableCode" in record
        left[Omission.TOOL_OUTPUT] += "codeExecutionResult" in record
        left[Omission.REASONING] += as_flag(record.get("thought"))
    spoken = (text for part in parts if not as_flag(part.get("thought")) and (text := first_text(part, "text")))
    words = first_text(chunk, "text") or "\n\n".join(spoken)
    if not words and not any(name in chunk for name in ("executableCode", "codeExecutionResult")):
        left[Omission.EMPTY_MESSAGE] += 1
    return words.strip()
