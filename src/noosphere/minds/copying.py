"""Minds made of other minds: a fork of one of the home, or a backup or an export that becomes a workspace."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput, NotAnExport, StorageError
from noosphere.ids import looks_like_uid, parse_uid, uid_text
from noosphere.store import backup, portable, removal
from noosphere.store.failures import on_disk
from noosphere.store.registry import check_new

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from noosphere.clock import Clock
    from noosphere.ids import Ids
    from noosphere.store.key import Key
    from noosphere.store.registry import Registered, Registry


class Copying:
    """Makes registered minds of what another mind holds; each file of a home has a UUID of its own."""

    def __init__(self, registry: Registry, clock: Clock, ids: Ids, key: Key | None) -> None:
        self._registry = registry
        self._clock = clock
        self._ids = ids
        self._key = key

    def fork(self, origin: Registered, to: str) -> Registered:
        """Copy a mind as it is now, under a name and a UUID of its own.

        Raises:
            InvalidInput: the name is not a slug, or is taken.
        """
        self._refuse_taken(to, "to")
        uuid, source = uid_text(self._ids.new()), self._registry.path(origin.uuid)
        with self._room(uuid) as room:
            if source.exists():  # a mind is made when it is first used
                backup.restore(source, room, self._ids, self._key, mind=uuid)
            return self._register(uuid, to)

    def import_mind(self, source: Path, name: str, *, fork: bool) -> Registered:
        """Make a mind of a backup or an export, with the UUID it has, or as a fork with one of its own.

        Raises:
            InvalidInput: the name is not a slug or is taken, the source is no file, or this home has the mind already
                and it is no fork.
            StorageError: the source cannot be read, or is neither a backup nor an export.
        """
        self._refuse_taken(name, "id")
        with on_disk(source):
            if not source.is_file():
                raise InvalidInput(
                    "source", f"{str(source)!r:.200} is no file", "Give the one that backup or export wrote"
                )
        exported = _is_text(source)
        told = portable.mind_of(source) if exported else backup.inspect(source, self._key).mind
        if not looks_like_uid(told):
            raise NotAnExport(str(source), "does not say which mind it is", "Use another backup or export")
        uuid = uid_text(self._ids.new()) if fork else uid_text(parse_uid(told))
        with self._room(uuid) as room:
            if exported:
                portable.load(source, room, self._clock, self._ids, self._key, mind=uuid)
            else:
                backup.restore(source, room, self._ids, self._key, mind=uuid)
            return self._register(uuid, name)

    def _refuse_taken(self, name: str, field: str) -> None:
        if self._registry.find(check_new(name, field)) is not None:
            raise InvalidInput(field, f"{name!r} is there already", "Choose another name")

    def _refuse_second(self, uuid: str) -> None:
        known = next((entry for entry in self._registry.listed() if entry.uuid == uuid), None)
        if known is not None:
            remedy = "Use it, or have a copy with a UUID of its own: fork=True"
            raise InvalidInput("source", f"this home has that mind already, as {known.slug!r}", remedy)

    @contextmanager
    def _room(self, uuid: str) -> Generator[Path]:
        """The place of a new mind; nothing stays there of one that did not become known.

        What lies there already was left by a process that was killed before it made its mind known.
        """
        self._refuse_second(uuid)
        path = self._registry.path(uuid)
        if not removal.remove(path, self._key):
            raise StorageError(str(path), "is being made by another process", "Try again when that is done")
        try:
            with on_disk(path):
                path.parent.mkdir(parents=True)
            yield path
        except BaseException:
            if all(entry.uuid != uuid for entry in self._registry.listed()):
                removal.remove(path, self._key)
            raise

    def _register(self, uuid: str, name: str) -> Registered:
        entry = self._registry.add(uuid, name, self._clock.now())
        if entry.uuid != uuid:  # another process took the name meanwhile
            self._refuse_taken(name, "id")
        if entry.slug != name:  # or made the same mind known
            self._refuse_second(uuid)
        return entry


def _is_text(source: Path) -> bool:
    """Whether a file is an export: lines of JSON, where a mind is binary, encrypted or not."""
    with on_disk(source), source.open("rb") as file:
        return file.read(1) == b"{"
