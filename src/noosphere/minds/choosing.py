"""Which mind is changed by who names none: the one that the settings name, or the only one there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput
from noosphere.store.registry import PERSONAL, Registry

if TYPE_CHECKING:
    from noosphere.settings import Settings


def to_change(settings: Settings, registry: Registry) -> str:
    """The mind that a change means when it names none.

    Raises:
        InvalidInput: the settings name none, and there are several.
    """
    if settings.origin("mind") != "default":
        return settings.mind
    there = {PERSONAL, *(entry.slug for entry in registry.listed() if entry.retired_at is None)}
    if len(there) > 1:
        raise InvalidInput("mind", "is needed: this home has several", f"Name one of: {', '.join(sorted(there))}")
    return settings.mind


def check_named(settings: Settings) -> None:
    """See to it that a change through these settings means one mind.

    Raises:
        InvalidInput: the settings name none, and there are several.
    """
    registry = Registry(settings.home)
    try:
        to_change(settings, registry)
    finally:
        registry.close()
