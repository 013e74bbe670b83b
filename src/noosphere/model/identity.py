"""Who the agent is: one set of fields beside the memories, put before every prompt, never a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.records import dataclass

if TYPE_CHECKING:
    from datetime import datetime

FIELDS = ("name", "role", "department", "personality", "capabilities", "system_prompt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who the agent is; None where nothing was said, `updated_at` None when nothing was ever said."""

    name: str | None = None
    role: str | None = None
    department: str | None = None
    personality: str | None = None
    capabilities: str | None = None
    system_prompt: str | None = None
    updated_at: datetime | None = None

    def lines(self) -> list[str]:
        """The fields that are filled, one a line."""
        return [f"{name.replace('_', ' ')}: {said}" for name in FIELDS if (said := getattr(self, name))]


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentitySet:
    """The identity was changed; `changed` names the fields, the others are as they were."""

    changed: tuple[str, ...]
    journal: str
