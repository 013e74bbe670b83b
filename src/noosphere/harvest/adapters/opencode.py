"""Sessions of opencode: a file for the session, one for each message, one for each part of a message.

The session's file leads to the others, which lie beside it in `message/SESSION` and `part/MESSAGE` of one folder.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapter import Match
from noosphere.harvest.adapters.gathering import Gathering
from noosphere.harvest.encoding import decode
from noosphere.harvest.items import USER, Found, Left, Omission, Reject, TurnRole
from noosphere.harvest.members import MAX_TEXT_BYTES, reason
from noosphere.harvest.untrusted import as_flag, as_record, first_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from noosphere.harvest.members import Member

NAME = "opencode"
SPEAKER = "Assistant"
OWN_ID = re.compile(r"[\w-]{1,200}")  # what may become part of a path
PARTS = {"reasoning": Omission.REASONING, "tool": Omission.TOOL_CALL}
MARKS = (b'"projectID"', b'"sessionID"', b'"messageID"')
REMEDY = "Give the folder that holds session, message and part, unpacked"


def matches(member: Member, head: bytes) -> Match:
    """Know a session, a message or a part by its fields."""
    if member.size > MAX_TEXT_BYTES or not any(mark in head for mark in MARKS):
        return Match.NO
    data = head if member.size <= len(head) else member.bytes()
    return Match.SURE if not isinstance(data, Reject) and _kind(_whole(data)) else Match.NO


def _whole(data: bytes) -> dict[str, Any]:
    try:
        return _parsed(data)
    except ValueError:
        return {}


def _parsed(data: bytes) -> dict[str, Any]:
    """A file's object; empty when it is something else.

    Raises:
        ValueError: it is not JSON, or nested without end.
    """
    try:
        return as_record(json.loads(decode(data).text))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _kind(record: dict[str, Any]) -> str | None:
    if record.keys() >= {"id", "projectID", "directory", "time"}:
        return "session"
    if record.keys() >= {"id", "sessionID", "role", "time"}:
        return "message"
    return "part" if record.keys() >= {"id", "messageID", "type"} else None


def read(member: Member) -> Iterator[Found]:
    """Yield a session with its messages; a message's or a part's own file goes with its session."""
    data = member.bytes()
    session = {} if isinstance(data, Reject) else _whole(data)
    kind = _kind(session)
    key = first_text(session, "id")
    if kind != "session":
        yield Left(member.origin, Omission.COMPANION_FILE)
    elif key is None or OWN_ID.fullmatch(key) is None:
        yield Reject(member.origin, "session", "has no id that can be the name of a folder", REMEDY)
    elif member.path is None:
        yield Reject(member.origin, "session", "its messages lie in files beside it, which an archive hides", REMEDY)
    else:
        yield from _session(member, member.path.resolve().parents[2], key, session)


def _session(member: Member, root: Path, key: str, session: dict[str, Any]) -> Iterator[Found]:
    gathering = Gathering(NAME, member.origin)
    last: str | None = None
    messages = [_file(path, gathering) for path in _files(root / "message" / key)]
    for message in sorted(filter(None, messages), key=_order):
        own = first_text(message, "id")
        if own is None or OWN_ID.fullmatch(own) is None:
            gathering.refuse("message", "has no id")
            continue
        gathering.talk.place(own, first_text(message, "parentID") or last)
        last = own
        _say(own, message, [_file(path, gathering) for path in _files(root / "part" / own)], gathering)
    about = {"cwd": first_text(session, "directory")}
    updated = as_record(session.get("time")).get("updated")
    yield from gathering.found(key, title=first_text(session, "title"), current=last, updated=updated, metadata=about)


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.json") if path.is_file() and not path.is_symlink())


def _file(path: Path, gathering: Gathering) -> dict[str, Any]:
    try:
        record = _parsed(path.read_bytes())
    except (OSError, ValueError) as problem:
        gathering.refuse(path.name, f"is not JSON: {reason(problem)}")
        return {}
    if not record:
        gathering.refuse(path.name, "is not an object")
    return record


def _order(message: dict[str, Any]) -> tuple[float, str]:
    at = as_record(message.get("time")).get("created")
    return (float(at) if isinstance(at, int | float) else 0.0, first_text(message, "id") or "")


def _say(key: str, message: dict[str, Any], parts: list[dict[str, Any]], gathering: Gathering) -> None:
    texts: list[str] = []
    for part in parts:
        kind = first_text(part, "type")
        if kind == "text" and not as_flag(part.get("synthetic")) and (text := first_text(part, "text")):
            texts.append(text)
        elif part:
            gathering.left[PARTS.get(kind or "", Omission.BOOKKEEPING)] += 1
    is_person = first_text(message, "role") == "user"
    if texts:
        speaker, role = (USER, TurnRole.USER) if is_person else (SPEAKER, TurnRole.ASSISTANT)
        gathering.talk.say(key, speaker, role, "\n\n".join(texts), as_record(message.get("time")).get("created"))
    else:
        gathering.left[Omission.EMPTY_MESSAGE] += 1
