"""Embedding what is pending: by one leased worker, outside every transaction; the result is checked when written."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from noosphere.errors import ModelDown, ModelUnavailable
from noosphere.model.names import strip_names
from noosphere.records import dataclass
from noosphere.store import frames, fulltext, lease, units, vectors
from noosphere.store.fold import fold
from noosphere.store.fulltext import Era
from noosphere.write.autolink import autolink
from noosphere.write.duplicates import guard

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from noosphere.providers.ports import Chunk, Embedder
    from noosphere.store.connection import Connection
    from noosphere.store.mind_file import MindFile
    from noosphere.store.vectors import SpaceRow

    Made = tuple["Input", NDArray[np.float32]]

RECIPE = "1:own text, names stripped, 240/40"  # how an input is cut and stripped; another recipe means pending again
RETRY = "The texts wait; they are tried again with the next write or flush"
PLAIN = "A text that any model can read."
BATCH = 128  # units in one turn of the worker: a second of work for the encoder on one core


@dataclass(frozen=True, slots=True)
class Input:
    """A unit's text as a model reads it."""

    frame: int
    text: str
    chunks: tuple[Chunk, ...]

    @property
    def hash(self) -> bytes:
        """What tells whether the vectors still belong to the text."""
        return input_hash(self.text)


def input_hash(text: str) -> bytes:
    """The hash of an embedder's input together with its recipe."""
    return sha256(f"{RECIPE}\n{text}".encode()).digest()


def input_text(sql: Connection, frame: int) -> str | None:
    """What a model reads of a unit: its own text, without the names of those who took part.

    It depends only on what never changes, so a vector never goes stale.
    """
    row = frames.by_id(sql, frame)
    if not row.is_turn:
        return fold(sql, frame)
    if row.text is None:
        return None
    before = units.turn_before(sql, row)
    names = {row.speaker or "", before.speaker or "" if before else "", *frames.participant_names(sql, row)}
    return strip_names(row.text, names)


def embed_pending(mind: MindFile, embedder: Embedder, pair: dict[Era, SpaceRow], limit: int) -> int:
    """Embed up to `limit` units that wait in a space; returns how many were done.

    Returns 0 at once when another living process is at it.
    """
    done = 0
    while done < limit:
        taken = _take(mind, pair, min(BATCH, limit - done))
        if not taken:
            break
        done += _embed(mind, embedder, pair, taken)
    return done


def is_due(mind: MindFile, pair: dict[Era, SpaceRow]) -> bool:
    """Whether units wait to be embedded in a space."""
    with mind.read() as sql:
        return bool(vectors.waiting(sql, pair[Era.NOW].id, 1))


def _take(mind: MindFile, pair: dict[Era, SpaceRow], limit: int) -> list[int]:
    space = pair[Era.NOW]
    if not is_due(mind, pair):
        return []
    with mind.write() as tx:
        if not lease.take(tx.sql, _lease_name(pair), tx.clock_now):
            return []
        waiting = vectors.waiting(tx.sql, space.id, limit)
        if not waiting:
            lease.release(tx.sql, _lease_name(pair))
        return waiting


def _lease_name(pair: dict[Era, SpaceRow]) -> str:
    return f"embed:{pair[Era.NOW].name}"


def _embed(mind: MindFile, embedder: Embedder, pair: dict[Era, SpaceRow], taken: Sequence[int]) -> int:
    with mind.read() as sql:
        texts = {frame: input_text(sql, frame) for frame in taken}
    inputs = [Input(f, t, tuple(embedder.chunk(t))) for f, t in texts.items() if t is not None]
    try:
        made, refused = _vectors(embedder, inputs)
    except ModelUnavailable:
        with mind.write() as tx:
            lease.release(tx.sql, _lease_name(pair))  # another process may have a model that works
        raise
    with mind.write(rows=len(inputs)) as tx:
        for frame in texts.keys() - {i.frame for i in inputs}:
            vectors.drop(tx, frame)  # purged meanwhile
        for one, rows in made:
            era = fulltext.era_of(tx.sql, one.frame)
            if era is None:
                vectors.drop(tx, one.frame)
            else:
                vectors.write(tx, pair, one.frame, era, RECIPE, one.hash, _rows(pair[era], one, rows))
        for frame in refused:
            vectors.failed(tx, pair[Era.NOW].id, frame)
        lease.release(tx.sql, _lease_name(pair))  # between batches any process may go on
    done = [one.frame for one, _ in made]
    guard(mind, pair, done)
    autolink(mind, pair, done)
    if refused and not made:
        raise ModelUnavailable(embedder.space.name, f"it refuses what is left, {len(refused)} texts", RETRY)
    return len(taken) - (len(inputs) - len(made))  # the rest is refused, or waits for a model that went down


def _vectors(embedder: Embedder, inputs: Sequence[Input]) -> tuple[list[Made], list[int]]:
    """Embed units together or, when the model refuses that, one by one: one text must not hold up the others.

    Returns:
        The units with their rows, and the frames of those that the model refuses.

    Raises:
        ModelUnavailable: it refuses all of them and a plain text too, so it is the model that does not work.
    """
    try:
        return _together(embedder, inputs), []
    except ModelDown:
        raise
    except ModelUnavailable as problem:
        first = problem
    made: list[Made] = []
    refused: list[int] = []
    for one in inputs if len(inputs) > 1 else ():
        try:
            made += _together(embedder, [one])
        except ModelDown:  # what was made is kept, what is left waits, and nothing counts as refused
            if not made:
                raise
            return made, refused
        except ModelUnavailable:
            refused.append(one.frame)
    if not made and not _works(embedder):
        raise first
    return made, refused or [one.frame for one in inputs]


def _works(embedder: Embedder) -> bool:
    """Whether a model embeds a plain text, when it refused others."""
    try:
        rows = embedder.embed_documents([PLAIN])
    except Exception:  # noqa: BLE001  (an embedder may be anybody's)
        return False
    return rows.shape == (1, embedder.space.dim) and bool((abs(rows) < float("inf")).all())


def _together(embedder: Embedder, inputs: Sequence[Input]) -> list[Made]:
    if not inputs:
        return []
    pieces = [i.text[c.start : c.stop] for i in inputs for c in i.chunks]
    name = embedder.space.name
    try:
        rows = embedder.embed_documents(pieces)
    except ModelUnavailable:
        raise
    except Exception as problem:  # an embedder may be anybody's, over any network
        raise ModelUnavailable(name, f"it failed with {type(problem).__name__}", RETRY) from problem
    shape, right = rows.shape, (len(pieces), embedder.space.dim)
    if shape != right or not bool((abs(rows) < float("inf")).all()):
        raise ModelUnavailable(name, f"it gave vectors of shape {shape} for {right}, or with no numbers in them", RETRY)
    made: list[Made] = []
    for one in inputs:
        made.append((one, rows[: len(one.chunks)]))
        rows = rows[len(one.chunks) :]
    return made


def _rows(space: SpaceRow, one: Input, rows: NDArray[np.float32]) -> list[vectors.NewVector]:
    from noosphere.store.scan import quantize  # noqa: PLC0415  (brings numpy)

    small = quantize(rows, space.scale)
    half = rows.astype("float16")
    return [
        vectors.NewVector(n, chunk.start, chunk.stop, small[n].tobytes(), half[n].tobytes())
        for n, chunk in enumerate(one.chunks)
    ]
