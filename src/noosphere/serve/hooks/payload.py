"""What an agent program hands to a hook, and the turns of the transcript that it names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from noosphere.records import dataclass

SPEAKERS = ("user", "assistant")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One turn of a transcript."""

    key: str
    role: str
    text: str
    at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """The parts that hooks use; what is missing is empty.

    Attributes:
        session: the program's own id of the conversation.
        prompt: what the user is about to say.
        turns: what was said, from a transcript or from the payload itself.
    """

    session: str
    prompt: str
    turns: tuple[Said, ...]


def read(text: str) -> Payload:
    """Read a payload.

    It is Claude Code's (session_id, prompt, transcript_path), or the generic form (session, prompt, and turns as
    objects with key, role, text and at).

    Raises:
        InvalidInput: it is no JSON object.
        OSError: the transcript cannot be read.
    """
    try:
        given: Any = json.loads(text)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        from noosphere.errors import InvalidInput  # noqa: PLC0415  (quick to start)

        raise InvalidInput("standard input", "is no JSON object", 'Give one, such as {"session": "s1", "prompt": "…"}')
    fields = cast("dict[str, Any]", given)
    path = fields.get("transcript_path")
    turns = transcript(Path(str(path)).expanduser()) if path else _listed(fields.get("turns"))
    session = str(fields.get("session_id") or fields.get("session") or "")
    return Payload(session=session, prompt=str(fields.get("prompt") or ""), turns=turns)


def transcript(path: Path) -> tuple[Said, ...]:
    """The turns of a Claude Code transcript: one JSON object a line; tools and what was generated are left out."""
    found: list[Said] = []
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            said = _line(line)
            if said is not None:
                found.append(said)
    return tuple(found)


def _line(line: str) -> Said | None:
    try:
        entry: Any = json.loads(line)
    except ValueError:  # a line that is still being written
        return None
    if not isinstance(entry, dict):
        return None
    fields = cast("dict[str, Any]", entry)
    message: Any = fields.get("message")
    if fields.get("type") not in SPEAKERS or fields.get("isMeta") or not isinstance(message, dict):
        return None
    content: Any = cast("dict[str, Any]", message).get("content")
    text = content if isinstance(content, str) else _texts(content)
    if not text.strip() or not fields.get("uuid"):
        return None
    return Said(key=str(fields["uuid"]), role=str(fields["type"]), text=text, at=fields.get("timestamp"))


def _texts(content: Any) -> str:
    """The text blocks of a message."""
    blocks = cast("list[Any]", content) if isinstance(content, list) else []
    shown = [cast("dict[str, Any]", block) for block in blocks if isinstance(block, dict)]
    texts = [block.get("text") for block in shown if block.get("type") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str))


def _listed(turns: Any) -> tuple[Said, ...]:
    listed = cast("list[dict[str, Any]]", turns) if isinstance(turns, list) else []
    return tuple(
        Said(key=str(turn["key"]), role=str(turn["role"]), text=str(turn["text"]), at=turn.get("at"))
        for turn in listed
        if all(turn.get(name) for name in ("key", "role", "text"))
    )
