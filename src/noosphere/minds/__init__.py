"""The home of minds: opening one (opening.py), and all of them behind one door (noosphere.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.minds.opening import import_mind, open_mind, rekey, restore_mind, salvage

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.clock import Clock
    from noosphere.ids import Ids
    from noosphere.minds.noosphere import Noosphere
    from noosphere.providers.ports import Embedder
    from noosphere.settings import Settings

__all__ = ["import_mind", "open_mind", "open_noosphere", "rekey", "restore_mind", "salvage"]


def open_noosphere(
    home: Path | str | None = None,
    *,
    actor: str | None = None,
    channel: str = "python",
    clock: Clock | None = None,
    ids: Ids | None = None,
    embedder: Embedder | None = None,
    settings: Settings | None = None,
    **chosen: Any,
) -> Noosphere:
    """Open the minds of a home: the personal one and the workspaces beside it.

    Args:
        home: the folder; None for the one that the settings name.
        actor: who writes, for the journal.
        channel: the door: python, cli, mcp, rest, hook, import or upkeep.
        clock: where "now" comes from.
        ids: where new ids come from.
        embedder: takes the place of the built-in encoder.
        settings: what is in force; None reads the files and the environment.
        chosen: single settings laid over these.

    Raises:
        StorageError: the home cannot be made or read.
        InvalidInput: an unknown setting or a value it cannot take.
    """
    from noosphere import settings as setting
    from noosphere.clock import SystemClock
    from noosphere.ids import Uuid7
    from noosphere.minds.noosphere import Noosphere

    given = {"home": home, "actor": actor, **chosen}
    base = setting.load(home) if settings is None else settings
    clock = clock or SystemClock()
    return Noosphere(
        base.override("argument", given), channel=channel, clock=clock, ids=ids or Uuid7(clock), embedder=embedder
    )
