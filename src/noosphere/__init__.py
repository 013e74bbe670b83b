"""Noosphere: a local-first memory engine for AI agents.

One front door: `open_mind(path)` gives a `Mind`; everything else is reached from it. `open_noosphere()` gives the
minds of a home together: the personal one and the workspaces beside it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from noosphere.errors import (
        BrokenInvariant,
        ClosedMind,
        DamagedMind,
        InvalidInput,
        MindBusy,
        ModelUnavailable,
        NewerMind,
        NoosphereError,
        NotAMind,
        NotAnExport,
        NotFound,
        OlderMind,
        ReadOnlyMind,
        StorageError,
        WrongKey,
    )
    from noosphere.mind import Mind
    from noosphere.minds import import_mind, open_mind, open_noosphere, rekey, restore_mind, salvage
    from noosphere.minds.noosphere import Noosphere
    from noosphere.model.draft import Draft, Turn
    from noosphere.model.hit import Hit, Recall
    from noosphere.model.outcome import (
        Appended,
        Branched,
        Classified,
        Duplicate,
        EntityStored,
        Forgotten,
        HeadMoved,
        Linked,
        OntologyChanged,
        Purged,
        PurgePending,
        Reason,
        Recorded,
        Refused,
        Released,
        Revised,
        SessionChanged,
        Settled,
        Stored,
        Superseded,
        Undone,
        Unlinked,
    )
    from noosphere.model.plain import plain
    from noosphere.model.query import Filters
    from noosphere.model.record import (
        Conversation,
        Entity,
        Evidence,
        History,
        JournalEntry,
        Memory,
        Session,
        TurnRecord,
    )
    from noosphere.model.trace import Trace
    from noosphere.settings import Settings

__version__ = "0.1.0.dev0"

_HOMES = {
    "noosphere.errors": (
        "BrokenInvariant", "ClosedMind", "DamagedMind", "InvalidInput", "MindBusy", "ModelUnavailable", "NewerMind",
        "NoosphereError", "NotAMind", "NotAnExport", "NotFound", "OlderMind", "ReadOnlyMind",
        "StorageError", "WrongKey",
    ),
    "noosphere.mind": ("Mind",),
    "noosphere.minds": ("import_mind", "open_mind", "open_noosphere", "rekey", "restore_mind", "salvage"),
    "noosphere.minds.noosphere": ("Noosphere",),
    "noosphere.model.draft": ("Draft", "Turn"),
    "noosphere.model.hit": ("Hit", "Recall"),
    "noosphere.model.outcome": (
        "Appended", "Branched", "Classified", "Duplicate", "EntityStored", "Forgotten", "HeadMoved", "Linked",
        "OntologyChanged", "Purged", "PurgePending", "Reason", "Recorded", "Refused", "Released", "Revised",
        "SessionChanged", "Settled", "Stored", "Superseded", "Undone", "Unlinked",
    ),
    "noosphere.model.plain": ("plain",),
    "noosphere.model.query": ("Filters",),
    "noosphere.model.record": (
        "Conversation", "Entity", "Evidence", "History", "JournalEntry", "Memory", "Session", "TurnRecord",
    ),
    "noosphere.model.trace": ("Trace",),
    "noosphere.settings": ("Settings",),
}  # fmt: skip
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Appended",
    "Branched",
    "BrokenInvariant",
    "Classified",
    "ClosedMind",
    "Conversation",
    "DamagedMind",
    "Draft",
    "Duplicate",
    "Entity",
    "EntityStored",
    "Evidence",
    "Filters",
    "Forgotten",
    "HeadMoved",
    "History",
    "Hit",
    "InvalidInput",
    "JournalEntry",
    "Linked",
    "Memory",
    "Mind",
    "MindBusy",
    "ModelUnavailable",
    "NewerMind",
    "Noosphere",
    "NoosphereError",
    "NotAMind",
    "NotAnExport",
    "NotFound",
    "OlderMind",
    "OntologyChanged",
    "PurgePending",
    "Purged",
    "ReadOnlyMind",
    "Reason",
    "Recall",
    "Recorded",
    "Refused",
    "Released",
    "Revised",
    "Session",
    "SessionChanged",
    "Settings",
    "Settled",
    "StorageError",
    "Stored",
    "Superseded",
    "Trace",
    "Turn",
    "TurnRecord",
    "Undone",
    "Unlinked",
    "WrongKey",
    "__version__",
    "import_mind",
    "open_mind",
    "open_noosphere",
    "plain",
    "rekey",
    "restore_mind",
    "salvage",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import noosphere` and `noosphere --help` cost nothing."""
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'noosphere' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return __all__
