"""The rehearsal of doctor: a scratch mind is written, asked, changed and emptied, as a user would do it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from noosphere.errors import NoosphereError
from noosphere.ids import Uuid7
from noosphere.model.outcome import Forgotten, Stored
from noosphere.store.mind_file import MindFile, Opening

if TYPE_CHECKING:
    from collections.abc import Callable

    from noosphere.mind import Mind

TEXT = "The spare key of the boathouse hangs behind the clock"
MENDED = "The spare key of the boathouse lies under the third stone"
QUESTION = "Where is the spare key of the boathouse?"


def rehearse(opened: MindFile, make: Callable[[MindFile], Mind]) -> tuple[str, ...]:
    """Write, recall, revise, forget and undo in a scratch mind; returns the steps that went wrong.

    Args:
        opened: the mind that doctor looks at; the scratch one has its clock and key.
        make: puts a mind together around a file.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="noosphere-doctor-", ignore_cleanup_errors=True) as folder:
            opening = Opening(key=opened.db.key)
            file = MindFile(Path(folder) / "scratch.db", opened.clock, Uuid7(opened.clock), opened.author, opening)
            with make(file) as mind:
                return tuple(_steps(mind))
    except (NoosphereError, OSError) as problem:
        return (f"no scratch mind could be used: {problem}",)


def _steps(mind: Mind) -> list[str]:
    wrong: list[str] = []

    def check(step: str, *, holds: bool) -> None:
        if not holds:
            wrong.append(step)

    def texts() -> list[str]:
        return [hit.text for hit in mind.rank(QUESTION, unsure=True)]

    stored = mind.remember(TEXT, wait=True)
    if not isinstance(stored, Stored):
        return ["remember did not store"]
    check("recall did not find what was remembered", holds=TEXT in mind.recall(QUESTION, unsure=True).text)
    mind.revise(stored.id, MENDED)
    mind.flush()
    check("what was revised is not found, or the old text still is", holds=texts() == [MENDED])
    gone = mind.forget(stored.id)
    check("what was forgotten is still found", holds=texts() == [])
    if isinstance(gone, Forgotten):
        mind.undo(gone.journal)
    check("what was undone is not found again", holds=texts() == [MENDED])
    return wrong
