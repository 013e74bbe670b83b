"""The verbs that keep a mind sound and take it elsewhere: upkeep, doctor, backup, export."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from noosphere.mind.opened import Opened
from noosphere.store.mind_file import MindFile, resolve_path

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.model.outcome import Refused
    from noosphere.store.backup import Copy
    from noosphere.store.portable import Exported
    from noosphere.upkeep.doctor import Diagnosis
    from noosphere.upkeep.passes import Ran, Upkeep


class Keeping(Opened):
    """Passes that repair, and copies that leave."""

    @property
    def upkeep(self) -> Upkeep:
        """Maintenance: `upkeep("prune", limit=1000)` runs a pass, `upkeep.due()` says which have work."""
        from noosphere.upkeep.passes import Upkeep
        from noosphere.upkeep.run import Means
        from noosphere.write.apply import apply
        from noosphere.write.duplicates import merge_repeat
        from noosphere.write.join import join

        means = Means(
            embed=lambda limit: self.flush(limit).embedded,
            change=apply,
            compact=lambda tx, frame: merge_repeat(tx, frame, self._file.zone),
            join=join,
        )
        return Upkeep(self._file, means)

    def dedupe_entities(self, limit: int = 1000) -> Ran | Refused:
        """Merge entities of one type and name: the pass of this name.

        Raises:
            InvalidInput: the limit is out of range.
        """
        return self.upkeep("dedupe_entities", limit)

    def doctor(self, *, fix: bool = False) -> Diagnosis:
        """Check every invariant; `fix` rebuilds what is derived, and never touches what is truth."""
        from noosphere.upkeep.doctor import examine

        rehearse = tuple[str, ...] if self._file.read_only else self._rehearse  # where nothing may be written
        return examine(self._file, self._chain, fix=fix, embed=self.flush, rehearse=rehearse)

    def _rehearse(self) -> tuple[str, ...]:
        """Use a scratch mind with this one's models; hosted ones are not asked for that."""
        from noosphere.mind import Mind
        from noosphere.mind.rehearsal import rehearse
        from noosphere.write.embedders import make_chain
        from noosphere.write.spaces import register_spaces

        settings = self.settings.override("doctor", {"background": False})
        chain = self._chain
        if settings.providers:
            settings = replace(settings, semantic="off", providers=())
            chain = make_chain(settings, None, self._file.clock)

        def make(file: MindFile) -> Mind:
            register_spaces(file, chain)
            return Mind(file, chain, settings, name="scratch")

        return rehearse(self._file, make)

    def backup(self, target: Path | str, *, keep: int | None = None) -> Copy:
        """Write a consistent, checked copy; never overwrites. Of an encrypted mind it has the same key.

        Args:
            target: a file; with `keep` a folder, in which it gets a dated name.
            keep: how many of this mind's dated backups stay in the folder, the new one among them; the oldest go once
                the new one is checked.

        Raises:
            InvalidInput: `keep` is no count, or the target is no folder.
            StorageError: the target exists or cannot be written.
        """
        from noosphere.upkeep.backup import backup

        return backup(self._file, resolve_path(target), self.name, keep)

    def export(self, target: Path | str, form: str = "jsonl") -> Exported:
        """Write the whole mind as text, one moment of it: `jsonl`, to be imported again, or `markdown`, a folder.

        Raises:
            InvalidInput: there is no such form.
            StorageError: the target exists or cannot be written.
        """
        from noosphere.harvest.exporting import export

        return export(self._seen, resolve_path(target), form)
