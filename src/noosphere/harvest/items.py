"""What reading an export yields: items to import, rejects, and counts of what was left out on purpose.

Every record of a source ends in exactly one of the three; nothing is dropped without a word.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

USER = "User"  # exports do not name their owner; a caller may put the real name in its place


class ItemType(StrEnum):
    """What an item becomes: a conversation of turns, or one note."""

    CONVERSATION = "conversation"
    NOTE = "note"


class TurnRole(StrEnum):
    """Which side of a conversation with an assistant spoke; between people it is None."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Omission(StrEnum):
    """Why something was left out on purpose; the value is the name it is counted under."""

    SYSTEM_MESSAGE = "system message"
    PROFILE = "profile and instructions"
    HIDDEN_MESSAGE = "hidden message"
    REASONING = "reasoning"
    TOOL_CALL = "tool call"
    TOOL_OUTPUT = "tool output"
    SUBAGENT = "talk between an agent and its helper"
    OTHER_PRODUCT = "record of another product"
    BOOKKEEPING = "record of the program itself"
    EMPTY_MESSAGE = "message without words"
    REPEATED_MESSAGE = "repeated message"
    DO_NOT_REMEMBER = "message marked do-not-remember"
    EMPTY_CONVERSATION = "conversation without words"
    EMPTY_NOTE = "note without words"
    COMPANION_FILE = "file beside the conversations"
    SOURCE_CODE = "file of source code"
    UNKNOWN_FILE = "file of no known kind"
    HIDDEN_FILE = "hidden file or folder"
    LINK = "symbolic link, not followed"
    UNREADABLE_BYTES = "undecodable byte sequence, replaced"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportTurn:
    """One turn of an imported conversation.

    Attributes:
        key: the export's own id of the message, unique inside its conversation and the same on every run.
        at: when it was said, in microseconds UTC.
        parent: the key of the turn it answers; None opens the conversation.
    """

    key: str
    speaker: str
    text: str
    at: int | None
    role: TurnRole | None
    parent: str | None


@dataclass(frozen=True, slots=True)
class ImportEntity:
    """A thing that a note is about, of a type the registry has."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class ImportLink:
    """An edge that a note speaks of.

    Attributes:
        to: a thing, or another note by the name a link gives it.
        type: of the edge as the source calls it; one the registry does not have becomes `relates_to`.
        start: where it starts, when that is a thing and not the note itself.
    """

    to: ImportEntity | str
    type: str = "relates_to"
    start: ImportEntity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportItem:
    """A conversation or a note, as an export holds it.

    Attributes:
        id: made of the export's own ids; the same thing has the same id in the next export.
        source: the adapter that read it.
        turns: of a conversation; a parent always comes before its children, the current path first.
        text: of a note.
        at: when it was written or begun, in microseconds UTC.
        updated: when it last changed by its source's own account: an older state never takes a newer one's place.
        occurred: the calendar date a note is about, as ISO text.
        head: key of the turn the current path ends at; None without turns.
        role: of a note, when its source says what kind of memory it is.
        path: its place in a folder or archive, when that is what it is known by; an export's own id needs none.
        aliases: other names by which links call a note.
        entities: what a note is about.
        links: edges that a note speaks of.
        metadata: plain JSON values.
        origin: the file or member, and the place in it.
        notes: repairs that a reader should know of, in words.
    """

    id: str
    source: str
    type: ItemType
    title: str | None
    origin: str
    at: int | None = None
    updated: int | None = None
    turns: Sequence[ImportTurn] = ()
    text: str = ""
    occurred: str | None = None
    participants: tuple[str, ...] = ()
    head: str | None = None
    role: str | None = None
    path: str | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    entities: tuple[ImportEntity, ...] = ()
    links: tuple[ImportLink, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """What it is known by in a mind: ids of two products may be the same, paths are told from one folder."""
        return f"{self.source}:{self.id}" if self.path is None else self.id


@dataclass(frozen=True, slots=True)
class Reject:
    """A record that could not be read: where it is, what it is, why, and what can be done about it."""

    origin: str
    what: str
    why: str
    remedy: str | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """Things left out on purpose, counted under their name."""

    origin: str
    what: Omission
    count: int = 1


Found = ImportItem | Reject | Left
