"""Embedding from the command line: a little after every write, all of it with progress when asked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from noosphere.serve.cli.output import note
from noosphere.serve.cli.progress import Progress

if TYPE_CHECKING:
    from noosphere.mind import Flushed, Mind

AT_ONCE = 64  # units embedded after a write: half a second of the encoder on one core
STEP = 256  # units between two signs of life: a second or two


def embed_some(mind: Mind) -> None:
    """Embed what was just written, up to `AT_ONCE` units, and say how many still wait.

    The memory is stored and has been answered for; what goes wrong from here on is told, and waits.
    """
    try:
        if waiting(mind):
            mind.flush(AT_ONCE)
            say_left(mind)
    except Exception as problem:  # noqa: BLE001  (a second answer would contradict the first)
        note(f"not embedded yet ({type(problem).__name__}: {problem}); `noosphere flush` tries again", style="warn")


def embed_all(mind: Mind, limit: int | None = None) -> Flushed:
    """Embed everything that waits, at most `limit` units, with progress on standard error."""
    from noosphere.mind import Flushed

    done, total = 0, waiting(mind)
    with Progress(sys.stderr, f"embedding {total} units") as progress:
        while True:
            step = STEP if limit is None else min(STEP, limit - done)
            flushed = mind.flush(step)
            done += flushed.embedded
            if flushed.embedded == 0 or done == limit:
                break
            progress.tell(f"{done} of {total} units embedded", done)
    say_left(mind)
    return Flushed(embedded=done, pending=flushed.pending, unavailable=flushed.unavailable)


def waiting(mind: Mind) -> int:
    """How many units wait for an embedder that works; a text waits once in each space."""
    return sum(embedder.pending for embedder in mind.status().embedders if embedder.works)


def say_left(mind: Mind) -> None:
    """Say what still waits, and why, except for an embedder that somebody switched off."""
    for embedder in mind.status().embedders:
        if embedder.pending and (embedder.works or "switched off" not in (embedder.problem or "")):
            wait = "1 unit waits" if embedder.pending == 1 else f"{embedder.pending} units wait"
            note(f"{wait} for {embedder.space}: {embedder.problem or 'run `noosphere flush` to embed them'}")
