"""The verbs of workspaces: list, create, fork, import, rename, archive, delete, restore, clear."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.clock import DAY, moment
from noosphere.errors import InvalidInput, NotFound
from noosphere.ids import uid_text
from noosphere.model.argument import read_flag
from noosphere.records import dataclass
from noosphere.store import removal
from noosphere.store.registry import PERSONAL, check_slug

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from noosphere.clock import Clock
    from noosphere.ids import Ids
    from noosphere.minds.copying import Copying
    from noosphere.store.key import Key
    from noosphere.store.registry import Registered, Registry

UNDO_DAYS = 30  # a deleted workspace can be restored for so long


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A mind of this home.

    Attributes:
        id: its slug; `uuid` stays when it is renamed.
        status: active, archived (read-only, and left out of "all"), or deleted.
        gone_at: when the files of a deleted one may go.
    """

    id: str
    uuid: str
    status: str
    created_at: datetime
    gone_at: datetime | None = None


class Workspaces:
    """The minds of a home: the personal one and the workspaces beside it."""

    def __init__(
        self, registry: Registry, clock: Clock, ids: Ids, close: Callable[[str], None], key: Callable[[], Key | None]
    ) -> None:
        self._registry = registry
        self._clock = clock
        self._ids = ids
        self._close = close
        self._key = key

    def list(self, *, everything: bool = False) -> list[Workspace]:
        """The active ones by name, the personal one among them; archived and deleted ones too with `everything`."""
        found = [_shown(entry) for entry in self._registry.listed()]
        return [workspace for workspace in found if everything or workspace.status == "active"]

    def create(self, id: str) -> Workspace:
        """Make a workspace; its mind is made when it is first used.

        Raises:
            InvalidInput: the name is not a slug, or is taken.
        """
        uuid = uid_text(self._ids.new())
        entry = self._registry.add(uuid, check_slug(id, "id"), self._clock.now())
        if entry.uuid != uuid:
            status = _shown(entry).status
            remedy = "Choose another name" if status == "active" else "Choose another name, or restore it"
            raise InvalidInput("id", f"{id!r} is there already ({status})", remedy)
        return _shown(entry)

    def fork(self, id: str, to: str) -> Workspace:
        """Make a workspace that begins as a copy of a mind; from then on the two go their own ways.

        Raises:
            InvalidInput: the name is not a slug, or is taken.
            NotFound: there is no such mind, or it was deleted.
        """
        return _shown(self._copying().fork(usable(self._registry.named(check_slug(id, "id"))), to))

    def import_mind(self, source: Path | str, id: str, *, fork: bool = False) -> Workspace:
        """Make a workspace of a backup or an export: the same mind, or with `fork` one with a UUID of its own.

        Raises:
            InvalidInput: the name is not a slug or is taken, the source is no file, or this home has the mind already
                and it is no fork.
            StorageError: the source cannot be read, or is neither a backup nor an export.
        """
        from noosphere.store.mind_file import resolve_path

        fork = read_flag(fork, "fork") or False
        return _shown(self._copying().import_mind(resolve_path(source), id, fork=fork))

    def rename(self, id: str, to: str) -> Workspace:
        """Give a workspace another name; ids, files and memories stay.

        Raises:
            InvalidInput: the new name is not a slug or is taken, or the personal mind was meant.
            NotFound: there is no such workspace.
        """
        entry = self._one(id)
        renamed = self._registry.rename(entry.slug, to)
        self._close(entry.uuid)
        return _shown(renamed)

    def archive(self, id: str) -> Workspace:
        """Make a workspace read-only and leave it out of "all"; `restore` takes it back.

        Raises:
            InvalidInput: the personal mind was meant, or the workspace is archived or deleted already.
            NotFound: there is no such workspace.
        """
        return self._move(id, ("active",), archived_at=self._clock.now(), retired_at=None)

    def delete(self, id: str) -> Workspace:
        """Delete a workspace: nobody can read or write it any more, and after 30 days its files go.

        Raises:
            InvalidInput: the personal mind was meant, or the workspace is deleted already.
            NotFound: there is no such workspace.
        """
        entry = self._one(id)
        moved = self._move(id, ("active", "archived"), archived_at=entry.archived_at, retired_at=self._clock.now())
        path = self._registry.path(entry.uuid)
        if path.exists():
            removal.retire(path, self._clock.now(), self._key())
        return moved

    def restore(self, id: str) -> Workspace:
        """Take back an archive or a delete, as long as the files are there.

        Raises:
            InvalidInput: the workspace is active.
            NotFound: there is no such workspace.
        """
        entry = self._one(id)
        path = self._registry.path(entry.uuid)
        if entry.retired_at is not None and path.exists():
            removal.retire(path, None, self._key())
        return self._move(id, ("archived", "deleted"), archived_at=None, retired_at=None)

    def clear(self) -> list[str]:
        """Delete the files of workspaces that were deleted more than 30 days ago; what is still held waits."""
        gone: list[str] = []
        for entry in self._registry.listed():
            if entry.retired_at is None or entry.retired_at + UNDO_DAYS * DAY > self._clock.now():
                continue
            self._close(entry.uuid)
            if removal.remove(self._registry.path(entry.uuid), self._key()):
                self._registry.remove(entry.uuid)
                gone.append(entry.slug)
        return gone

    def _copying(self) -> Copying:
        from noosphere.minds.copying import Copying

        return Copying(self._registry, self._clock, self._ids, self._key())

    def _move(self, id: str, allowed: tuple[str, ...], *, archived_at: int | None, retired_at: int | None) -> Workspace:
        entry = self._one(id)
        status = _shown(entry).status
        if status not in allowed:
            raise InvalidInput("id", f"{entry.slug!r} is {status}", f"This is for one that is {allowed[0]}")
        self._registry.mark(entry.uuid, archived_at=archived_at, retired_at=retired_at)
        self._close(entry.uuid)
        return _shown(self._registry.named(entry.slug))

    def _one(self, id: str) -> Registered:
        entry = self._registry.named(check_slug(id, "id"))
        if entry.slug == PERSONAL:
            raise InvalidInput("id", "the personal mind is not a workspace", "It can only be written and read")
        return entry


def usable(entry: Registered) -> Registered:
    """An entry that may be opened.

    Raises:
        NotFound: it was deleted.
    """
    if entry.retired_at is not None:
        raise NotFound("mind", entry.slug, "It was deleted; restore it first, within its undo period")
    return entry


def _shown(entry: Registered) -> Workspace:
    status = "deleted" if entry.retired_at is not None else "archived" if entry.archived_at is not None else "active"
    return Workspace(
        id=entry.slug,
        uuid=entry.uuid,
        status=status,
        created_at=moment(entry.created_at),
        gone_at=None if entry.retired_at is None else moment(entry.retired_at + UNDO_DAYS * DAY),
    )
