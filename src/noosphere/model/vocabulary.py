"""The closed words of the domain, and how a caller's string becomes one of them."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TypeVar

from noosphere.errors import InvalidInput


class NodeClass(StrEnum):
    """What a node is."""

    MEMORY = "memory"
    CONVERSATION = "conversation"
    ENTITY = "entity"


class FrameType(StrEnum):
    """How a frame arrived: it opens or replaces, it appends, or it stands beside."""

    I = "I"  # noqa: E741  (the seed's letter)
    P = "P"
    B = "B"


class Status(StrEnum):
    """Lifecycle of a node; deprecated and archived leave the current indexes."""

    DRAFT = "draft"
    ACTIVE = "active"
    CANONICAL = "canonical"
    DEPRECATED = "deprecated"
    ARCHIVED = "archived"


class Kind(StrEnum):
    """Something that happened, or something that is so."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"


class Volatility(StrEnum):
    """How quickly a statement goes stale."""

    DURABLE = "durable"
    STATE = "state"
    VOLATILE = "volatile"


class Importance(StrEnum):
    """How much a memory matters to its owner."""

    CRITICAL = "critical"
    IMPORTANT = "important"
    NORMAL = "normal"
    TEMPORARY = "temporary"


class Source(StrEnum):
    """Who vouches for a statement."""

    USER_STATED = "user_stated"
    TOOL_VERIFIED = "tool_verified"
    AGENT_INFERRED = "agent_inferred"
    IMPORT = "import"
    SYSTEM = "system"


class Claim(StrEnum):
    """How sure the statement itself is."""

    VERIFIED = "verified"
    INFERRED = "inferred"
    UNKNOWN = "unknown"


class Channel(StrEnum):
    """The door a change came through."""

    PYTHON = "python"
    CLI = "cli"
    MCP = "mcp"
    REST = "rest"
    HOOK = "hook"
    IMPORT = "import"
    UPKEEP = "upkeep"


class SpeakerRole(StrEnum):
    """Which side of a conversation with an assistant spoke; between people there is none."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Provenance(StrEnum):
    """Who drew an edge."""

    EXPLICIT = "explicit"
    INFERRED = "inferred"
    SYSTEM = "system"


class SessionStatus(StrEnum):
    """Whether a session still takes frames."""

    ACTIVE = "active"
    CLOSED = "closed"
    ARCHIVED = "archived"


CURRENT_STATUSES = frozenset({Status.DRAFT, Status.ACTIVE, Status.CANONICAL})

# How strongly a source binds: a weaker one never retires a stronger one (design: slots).
SOURCE_STRENGTH = {
    Source.TOOL_VERIFIED: 3,
    Source.USER_STATED: 3,
    Source.IMPORT: 2,
    Source.AGENT_INFERRED: 1,
    Source.SYSTEM: 0,
}

CLAIM_OF_SOURCE = {Source.TOOL_VERIFIED: Claim.VERIFIED, Source.AGENT_INFERRED: Claim.INFERRED}

# Roles are an open list: these are the ones the engine itself knows.
ROLES = (
    "note",
    "fact",
    "event",
    "profile",
    "decision",
    "preference",
    "correction",
    "style",
    "finding",
    "task",
    "recommendation",
    "commitment",
)
EPISODIC_ROLES = frozenset({"event", "decision", "task", "commitment", "correction"})

NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
MAX_TAG = 100

Word = TypeVar("Word", bound=StrEnum)


def word(kind: type[Word], value: str | None, field: str) -> Word | None:
    """Read one word of a closed vocabulary; None stays None.

    Raises:
        InvalidInput: the word is not in the vocabulary; near words are named.
    """
    if value is None:
        return None
    try:
        return kind(value)
    except ValueError:
        raise InvalidInput.choice(field, value, [w.value for w in kind]) from None


def words(kind: type[Word], values: object, field: str) -> frozenset[Word]:
    """Read a word, or a collection of words, of a closed vocabulary."""
    return frozenset(w for v in texts(values, field) if (w := word(kind, v, field)) is not None)


def texts(values: object, field: str) -> tuple[str, ...]:
    """Read a string, or a collection of strings, as a tuple in sorted order without repeats."""
    if values is None:
        return ()
    if isinstance(values, str):
        return (values,)
    if isinstance(values, (list, tuple, set, frozenset)):
        found: list[object] = list(values)  # pyright: ignore[reportUnknownArgumentType]
        if all(isinstance(v, str) for v in found):
            return tuple(sorted({str(v) for v in found}))
    raise InvalidInput(field, f"{values!r:.80} is not text or a list of texts", f'Pass {field}=["one", "two"]')


def role_name(value: str | None) -> str:
    """Read a role: one of ROLES or any other lower-case name.

    Raises:
        InvalidInput: it is not a lower-case name.
    """
    if value is None:
        return "note"
    if not isinstance(value, str) or not NAME.fullmatch(value):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidInput("role", f"{value!r:.80} is not a role name", f"Use a lower-case word such as {ROLES[1]}")
    return value


def tag_names(values: object) -> tuple[str, ...]:
    """Read tags: trimmed, without repeats, in order; a leading # is dropped.

    Raises:
        InvalidInput: a tag is empty, too long, or not text.
    """
    cleaned: set[str] = set()
    for value in texts(values, "tags"):
        tag = " ".join(value.split()).removeprefix("#")
        if not tag or len(tag) > MAX_TAG or not tag.isprintable():
            raise InvalidInput("tags", f"{value!r:.80} cannot be a tag", f"Use 1 to {MAX_TAG} printable characters")
        cleaned.add(tag)
    return tuple(sorted(cleaned))
