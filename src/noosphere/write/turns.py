"""The turns of one call, checked before any of them is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput
from noosphere.model.argument import read_key, read_text
from noosphere.model.draft import Turn
from noosphere.model.text import clean, is_blank
from noosphere.model.vocabulary import SpeakerRole, word
from noosphere.model.when import read_time
from noosphere.records import dataclass
from noosphere.store.frame_versions import UNFLAGGED, Flags
from noosphere.store.hashing import content_hash
from noosphere.write.parse import MAX_TEXT
from noosphere.write.screening import Looked

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from noosphere.write.screening import Guard

OPENS = ""  # as a parent: the turn opens the conversation


@dataclass(frozen=True, slots=True)
class Checked:
    """A turn whose form is right; `after` is the key of the turn it says it follows."""

    key: str
    speaker: str
    text: str
    at: int | None
    speaker_role: str | None
    session: str | None
    after: str | None
    hash: bytes
    refused: str | None
    repairs: tuple[str, ...]
    flags: Flags


def check_turns(conversation: object, given: Sequence[Turn], zone: tzinfo, guard: Guard) -> list[Checked]:
    """Check the turns given for a conversation, in order.

    Raises:
        InvalidInput: the key or a turn has the wrong form, or two turns share a key.
    """
    if not isinstance(conversation, str) or not conversation.strip():
        raise InvalidInput(
            "conversation", f"{conversation!r:.80} is not a key", "Give the conversation's own stable id"
        )
    checked: list[Checked] = []
    seen: set[str] = set()
    for turn in given:
        checked.append(_check_turn(turn, checked[-1].key if checked else None, zone, guard))
        if checked[-1].key in seen:
            raise InvalidInput("turns", f"two turns have the key {turn.key!r:.80}", "Give each turn its own stable key")
        seen.add(checked[-1].key)
    return checked


def _check_turn(turn: Turn, before: str | None, zone: tzinfo, guard: Guard) -> Checked:
    if not isinstance(turn, Turn):  # pyright: ignore[reportUnnecessaryIsInstance]  (callers are not all typed)
        raise InvalidInput("turns", f"{turn!r:.80} is not a turn", "Pass Turn(key=..., speaker=..., text=...)")
    for name in ("key", "speaker"):
        value = getattr(turn, name)
        if not isinstance(value, str) or not value.strip():
            raise InvalidInput(f"turn.{name}", f"{value!r:.80} is not text", f"Give every turn a {name}")
    if not isinstance(turn.text, str):  # pyright: ignore[reportUnnecessaryIsInstance]  (callers are not all typed)
        raise InvalidInput("turn.text", f"{turn.text!r:.80} is not text", "Pass a string")
    at = read_time(turn.at, "turn.at", zone)
    cleaned = clean(turn.text)
    refused = None
    if is_blank(cleaned.text):
        refused = "there is no text"
    elif len(cleaned.text) > MAX_TEXT:
        refused = f"{len(cleaned.text)} characters are more than {MAX_TEXT}; record it in parts"
    role = word(SpeakerRole, turn.speaker_role, "turn.speaker_role")
    speaker = clean(turn.speaker).text.strip()
    looked, flags = (Looked(cleaned.text), UNFLAGGED) if refused else guard.turn(cleaned.text, role, speaker)
    return Checked(
        key=clean(turn.key).text,
        speaker=speaker,
        text=looked.text,
        at=None if at is None else at.start,
        speaker_role=role,
        session=read_key(turn.session, "turn.session"),
        after=before if (parent := read_text(turn.parent, "turn.parent")) is None else parent,
        hash=content_hash(looked.text),
        refused=refused or looked.refused,
        repairs=(*cleaned.repairs, *looked.repairs),
        flags=flags,
    )
