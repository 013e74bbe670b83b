"""Changing the key of a home: every mind of it in turn, or one; run again, it goes on where it was stopped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.errors import NotFound
from noosphere.minds import keys
from noosphere.minds.naming import is_path
from noosphere.store.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.settings import Settings
    from noosphere.store.key import Key


@dataclass(frozen=True, slots=True, kw_only=True)
class Rekeyed:
    """What a change of key did.

    Attributes:
        encrypted: whether the minds are encrypted now.
        minds: the files that have the new key now.
        already: the files that had it before.
    """

    encrypted: bool
    minds: tuple[str, ...]
    already: tuple[str, ...]


def rekey_home(settings: Settings, new: str | None, only: str | None = None) -> Rekeyed:
    """Give every mind of a home, deleted ones too, or only one, another key; None takes encryption away.

    Backups made before keep the key they have. Where the settings name the keyring, it holds the new key afterwards.

    Raises:
        WrongKey: a mind opens with neither key.
        MindBusy: somebody has a mind open.
        NotFound: the one mind is not there.
    """
    from noosphere.store.rekey import rekey

    key = keys.read(new)
    paths = _paths(settings, only)
    old = _old(settings)
    done = {path: rekey(path, old, key) for path in paths}
    if settings.key_from == "keyring":
        keys.to_keyring(settings, key)
    return Rekeyed(
        encrypted=key is not None,
        minds=tuple(str(path) for path, changed in done.items() if changed),
        already=tuple(str(path) for path, changed in done.items() if not changed),
    )


def _old(settings: Settings) -> Key | None:
    """The key until now; a keyring that holds none yet means that nothing is encrypted yet."""
    if settings.key_from == "keyring" and keys.from_keyring(settings) is None:
        return None
    return keys.find(settings)


def _paths(settings: Settings, only: str | None) -> list[Path]:
    from noosphere.store.mind_file import resolve_path

    if only is not None and is_path(only):
        found = [resolve_path(only)]
    else:
        registry = Registry(settings.home)
        try:
            entries = registry.listed() if only is None else [registry.named(only)]
            found = [registry.path(entry.uuid) for entry in entries]
        finally:
            registry.close()
        if only is None:
            return [path for path in found if path.is_file()]
    if not found[0].is_file():
        raise NotFound("mind", str(only), "Check the path or the name")
    return found
