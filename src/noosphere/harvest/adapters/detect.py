"""Choosing the adapter for a member by its first bytes: the surest one, the first of equals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput
from noosphere.harvest.adapter import Match
from noosphere.harvest.adapters import (
    chatgpt,
    claude,
    claude_code,
    codex,
    cursor,
    gemini,
    html,
    markdown,
    memory_stores,
    opencode,
    own_export,
    pdf,
    perplexity,
    plaintext,
    universal,
)

if TYPE_CHECKING:
    from noosphere.harvest.adapter import Adapter
    from noosphere.harvest.members import Member

# A new format is one file and one entry here.
ADAPTERS: tuple[Adapter, ...] = (
    own_export,
    chatgpt,
    claude,
    claude_code,
    codex,
    cursor,
    gemini,
    perplexity,
    opencode,
    memory_stores,
    pdf,
    html,
    universal,
    markdown,
    plaintext,
)


def choose(member: Member, head: bytes) -> tuple[Match, Adapter | None]:
    """The adapter that knows this member best, and how sure it is; None if none does."""
    sure, best = max(((adapter.matches(member, head), adapter) for adapter in ADAPTERS), key=lambda pair: pair[0])
    return sure, best if sure > Match.NO else None


def named(name: str) -> Adapter:
    """The adapter of this name.

    Raises:
        InvalidInput: there is none; near names are told.
    """
    for adapter in ADAPTERS:
        if name == adapter.NAME:
            return adapter
    raise InvalidInput.choice("adapter", name, [adapter.NAME for adapter in ADAPTERS])
