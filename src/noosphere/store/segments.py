"""Segments: immutable, rebuildable files of one space's vectors, memory-mapped: int8 for the scan, float16 beside it.

A segment is written under a temporary name, synced, renamed, and never appended to or replaced. It is
trusted only if it belongs to this incarnation of the mind and its newest living row equals the row in
the database.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
from math import prod
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from noosphere.records import dataclass
from noosphere.store.durable import sync_folder
from noosphere.store.failures import on_disk
from noosphere.store.sketch import Sketch, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

MAGIC = "noosphere-segment"
FORMAT = 4
TEMPORARY = "tmp"  # how the name of an unfinished file ends
HEADER_BYTES = 4096  # a page, so that the arrays behind it are aligned
SKETCHED_ROWS = 16_000  # segments of so many rows and more have a sketch: fewer are scanned in a quarter millisecond

Layout = tuple[tuple[type[np.generic], tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment: parallel arrays over its rows, in order of seq; memory-mapped when it was opened.

    Attributes:
        seqs: vec.seq of each row, int64, shape (n,).
        frames: vec.frame of each row, int64, shape (n,).
        spans: where each row's chunk starts and stops, int32, shape (n, 2).
        exact: float16 vectors, shape (n, dim).
        rows: the same as int8, shape (n, dim).
        sketch: their bits, of a large segment.
    """

    lo: int
    hi: int
    seqs: NDArray[np.int64]
    frames: NDArray[np.int64]
    spans: NDArray[np.int32]
    exact: NDArray[np.float16]
    rows: NDArray[np.int8]
    sketch: Sketch | None = None


def file_name(mind: str, incarnation: str, space: int, lo: int, hi: int, rows: int) -> str:
    """The name of a segment beside its mind; one that is written anew holds fewer or more rows."""
    own = incarnation[-12:]  # its random end: it begins with the time, like others
    return f"{mind}.{own}.{space}.{lo}-{hi}.{rows}.q8"


def write_segment(
    path: Path,
    segment: Segment,
    *,
    incarnation: str,
    opener: Callable[[Path], BinaryIO] = lambda path: path.open("wb"),
) -> None:
    """Write a segment so that it is there whole or not at all.

    Raises:
        StorageError: the disk refused; the temporary file is removed and nothing else changed.
    """
    header: dict[str, Any] = {
        "magic": MAGIC,
        "format": FORMAT,
        "incarnation": incarnation,
        "rows": len(segment.seqs),
        "dim": segment.rows.shape[1],
        "lo": segment.lo,
        "hi": segment.hi,
        "words": 0 if segment.sketch is None else len(segment.sketch.bits),
        "share": 1.0 if segment.sketch is None else segment.sketch.share,
    }
    temporary = path.with_name(f"{path.name}.{os.getpid()}.{TEMPORARY}")
    with on_disk(path):
        try:
            with opener(temporary) as out:
                out.write(json.dumps(header).encode().ljust(HEADER_BYTES))
                for array in _parts(segment):
                    out.write(np.ascontiguousarray(array).data)
                out.flush()
                os.fsync(out.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        sync_folder(path.parent)


def open_segment(path: Path, *, incarnation: str, dim: int, ahead: bool = False) -> Segment | None:
    """Map a segment into memory; None when it is missing, torn, or of another incarnation or dimension.

    With `ahead` the system begins to read what a search will scan: the rows, and their sketch.
    """
    try:
        with path.open("rb") as file:
            header: dict[str, Any] = json.loads(file.read(HEADER_BYTES))
            count, lo, hi, drawn = (header[name] for name in ("rows", "lo", "hi", "words"))
            share = header["share"]
            sound = (
                all(type(number) is int and number >= 0 for number in (count, lo, hi, drawn))
                and type(share) is float
                and 0 < share <= 1
                and drawn in {0, words(dim)}
                and header["magic"] == MAGIC
                and header["format"] == FORMAT
                and header["incarnation"] == incarnation
                and header["dim"] == dim
                and os.fstat(file.fileno()).st_size == HEADER_BYTES + sum(_sizes(_layout(count, dim, drawn)))
            )
            if not sound:
                return None
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError, KeyError, TypeError, RecursionError, OverflowError):
        return None
    if ahead and sys.platform != "win32":
        at = HEADER_BYTES + sum(_sizes(_layout(count, dim, drawn)[:-1])) // mmap.PAGESIZE * mmap.PAGESIZE
        mapped.madvise(mmap.MADV_WILLNEED, at)
        mapped.madvise(mmap.MADV_WILLNEED, 0, HEADER_BYTES + sum(_sizes(_layout(count, dim, drawn)[:4])))
    seqs, frames, spans, bits, middle, exact, rows = _arrays(mapped, _layout(count, dim, drawn))
    sketch = Sketch(bits, middle, share) if drawn else None
    if sketch is not None and not sketch.is_sound():
        return None
    return Segment(lo, hi, seqs, frames, spans, exact, rows, sketch)


def _parts(segment: Segment) -> Sequence[NDArray[Any]]:
    """What is written, in the order of the layout."""
    sketch = () if segment.sketch is None else (segment.sketch.bits, segment.sketch.middle)
    return segment.seqs, segment.frames, segment.spans, *sketch, segment.exact, segment.rows


def _layout(count: int, dim: int, drawn: int) -> Layout:
    """The arrays of a file, one behind the other; what is scanned comes last and lies together."""
    return (
        (np.int64, (count,)),
        (np.int64, (count,)),
        (np.int32, (count, 2)),
        (np.uint64, (drawn, count)),
        (np.float32, (dim if drawn else 0,)),
        (np.float16, (count, dim)),
        (np.int8, (count, dim)),
    )


def _sizes(layout: Layout) -> list[int]:
    return [np.dtype(kind).itemsize * prod(shape) for kind, shape in layout]


def _arrays(mapped: mmap.mmap, layout: Layout) -> Iterator[NDArray[Any]]:
    """The arrays in the bytes of a file."""
    whole = np.frombuffer(mapped, np.uint8)
    start = HEADER_BYTES
    for (kind, shape), size in zip(layout, _sizes(layout), strict=True):
        yield whole[start : start + size].view(kind).reshape(shape)
        start += size
