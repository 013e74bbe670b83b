"""Opening one mind: the personal one, one that is registered beside it, or a file by its path."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from noosphere import settings as setting
from noosphere.clock import SystemClock
from noosphere.ids import Uuid7, uid_text
from noosphere.minds import keys
from noosphere.minds.naming import is_path
from noosphere.minds.workspaces import usable
from noosphere.store.registry import PERSONAL, Registry

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.clock import Clock
    from noosphere.ids import Ids
    from noosphere.mind import Mind
    from noosphere.providers.ports import Embedder
    from noosphere.settings import Settings
    from noosphere.store.backup import Copy
    from noosphere.store.key import Key
    from noosphere.store.mind_file import Opening
    from noosphere.store.salvage import Salvaged


def open_mind(
    path: Path | str | None = None,
    *,
    create: bool = True,
    read_only: bool = False,
    actor: str | None = None,
    channel: str = "python",
    clock: Clock | None = None,
    ids: Ids | None = None,
    embedder: Embedder | None = None,
    settings: Settings | None = None,
    key: str | None = None,
) -> Mind:
    """Open a mind: one SQLite file.

    Args:
        path: the file; None for the mind that the settings name, which is the personal one of the home.
        create: whether to make it when it is not there.
        read_only: never write, not even counters; works on a read-only folder.
        actor: who writes, for the journal.
        channel: the door: python, cli, mcp, rest, hook, import or upkeep.
        clock: where "now" comes from.
        ids: where new ids come from.
        embedder: takes the place of the built-in encoder.
        settings: what is in force; None reads the files and the environment.
        key: of an encrypted mind, or to encrypt a new one; None takes it from where the setting key_from says.

    Raises:
        StorageError: the file cannot be opened; subclasses say whether it is not a mind, newer, damaged, or encrypted
            with another key.
        InvalidInput: the key cannot be used, or is not where key_from says.
        NotFound: the settings name a mind that this home does not have.
    """
    from noosphere.mind import open_file

    chosen = settings or setting.load(actor=actor)
    if settings is not None and actor is not None:
        chosen = chosen.override("argument", {"actor": actor})
    clock = clock or SystemClock()
    ids = ids or Uuid7(clock)
    found = _found(chosen, path, clock, ids, create=create)
    unlocked = keys.chosen(key, chosen)
    opening = opening_by(chosen, unlocked, create=create, read_only=read_only or found.archived, mind=found.uuid)
    if found.archived:
        make_first(found.file, opening, chosen, clock, ids)
    return open_file(
        found.file, opening, chosen, name=found.name, channel=channel, clock=clock, ids=ids, embedder=embedder
    )


def restore_mind(
    source: Path | str,
    target: Path | str,
    *,
    ids: Ids | None = None,
    key: str | None = None,
    settings: Settings | None = None,
) -> Copy:
    """Make a mind of a backup, in a new file and under a new incarnation; never overwrites.

    An encrypted backup opens with `key`, or the one that the settings lead to; the mind has the same.

    Raises:
        StorageError: the target exists or cannot be written, or the backup is not a sound mind.
    """
    from noosphere.store import backup as copies
    from noosphere.store.mind_file import resolve_path

    unlocked = keys.chosen(key, settings)
    return copies.restore(resolve_path(source), resolve_path(target), ids or Uuid7(SystemClock()), unlocked)


def import_mind(
    source: Path | str,
    target: Path | str,
    *,
    clock: Clock | None = None,
    ids: Ids | None = None,
    key: str | None = None,
    settings: Settings | None = None,
) -> Copy:
    """Make a mind of an export, in a new file: the same ids, texts, graph and history; never overwrites.

    With a key, given or in the settings, the mind is encrypted.

    Raises:
        StorageError: the target exists or cannot be written, or the export is not a whole one.
    """
    from noosphere.store import portable
    from noosphere.store.mind_file import resolve_path

    at = clock or SystemClock()
    unlocked = keys.chosen(key, settings)
    return portable.load(resolve_path(source), resolve_path(target), at, ids or Uuid7(at), unlocked)


def salvage(
    source: Path | str,
    target: Path | str,
    *,
    clock: Clock | None = None,
    ids: Ids | None = None,
    key: str | None = None,
    settings: Settings | None = None,
) -> Salvaged:
    """Make a new mind of what can be read of a damaged one, with counts of what cannot; never overwrites.

    An encrypted mind opens with `key`, or the one that the settings lead to; the new one has the same.

    Raises:
        DamagedMind: not even the list of its tables can be read.
        StorageError: the target exists or cannot be written, or the source is missing or no mind.
    """
    from noosphere.store import salvage as salvaging
    from noosphere.store.mind_file import resolve_path

    at = clock or SystemClock()
    unlocked = keys.chosen(key, settings)
    return salvaging.salvage(resolve_path(source), resolve_path(target), at, ids or Uuid7(at), unlocked)


def rekey(path: Path | str, new: str | None, *, key: str | None = None, settings: Settings | None = None) -> bool:
    """Encrypt a mind with another key, or with None take its encryption away; False when it has this key already.

    Args:
        path: the mind's file; nobody may have it open.
        new: the key from now on. Backups made before keep the key they have.
        key: the key until now; None for the one that the settings lead to, or none.
        settings: what is in force; None reads the files and the environment.

    Raises:
        WrongKey: the mind opens with neither key.
        MindBusy: somebody has it open.
        InvalidInput: a key cannot be used.
        StorageError: the disk refused; the mind is as it was.
    """
    from noosphere.store import rekey as changing
    from noosphere.store.mind_file import resolve_path

    return changing.rekey(resolve_path(path), keys.chosen(key, settings), keys.read(new))


def make_first(file: Path, opening: Opening, settings: Settings, clock: Clock, ids: Ids) -> None:
    """Make the file of a workspace that was archived before it held anything, so that it is read like any other."""
    from noosphere.mind import open_file

    if not file.exists():
        writable = replace(opening, read_only=False)
        open_file(file, writable, settings, name=file.stem, channel="python", clock=clock, ids=ids).close()


def opening_by(settings: Settings, key: Key | None, *, create: bool, read_only: bool, mind: str | None) -> Opening:
    """How a file is opened by what is in force; `mind` is the UUID of one that a registry knows."""
    from noosphere.store.mind_file import Opening

    return Opening(
        create=create,
        read_only=read_only,
        durable=settings.durability == "full",
        zone=settings.zone,
        mind=mind,
        secrets=settings.secrets,
        autolink=settings.autolink,
        semantic_dedup=settings.semantic_dedup,
        key=key,
    )


class _Found(NamedTuple):
    """A mind's file and name, its UUID when it is registered, and whether it is archived."""

    file: Path
    name: str
    uuid: str | None = None
    archived: bool = False


def _found(chosen: Settings, path: Path | str | None, clock: Clock, ids: Ids, *, create: bool) -> _Found:
    """The mind at a path, or the one that the settings name."""
    from noosphere.store.mind_file import resolve_path

    if path is None and not is_path(chosen.mind):
        return _registered(chosen, chosen.mind, clock, ids, create=create)
    file = resolve_path(chosen.mind if path is None else path)
    return _Found(file, file.stem)


def _registered(chosen: Settings, name: str, clock: Clock, ids: Ids, *, create: bool) -> _Found:
    """A mind of the home; the personal one is registered when first asked for."""
    registry = Registry(chosen.home)
    try:
        if name == PERSONAL and create:
            entry = registry.find(name) or registry.add(uid_text(ids.new()), name, clock.now())
        else:
            entry = registry.named(name)
    finally:
        registry.close()
    path = registry.path(usable(entry).uuid)
    path.parent.mkdir(parents=True, exist_ok=True)
    return _Found(path, name, entry.uuid, archived=entry.archived_at is not None)
