"""Segments: immutable, rebuildable files of one space's vectors, memory-mapped: int8 for the scan, float16 beside it.

A segment is written under a temporary name, synced, renamed, and never appended to or replaced. It is
trusted only if it belongs to this incarnation of the mind and its newest living row equals the row in
the database.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from noosphere.store.durable import sync_folder
from noosphere.store.failures import on_disk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

MAGIC = "noosphere-segment"
FORMAT = 2
TEMPORARY = "tmp"  # how the name of an unfinished file ends
HEADER_BYTES = 4096  # a page, so that the arrays behind it are aligned
ROW_BYTES = 24  # of a row, beside the vectors
NUMBER_BYTES = 3  # of each of its numbers: float16 and int8


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment: parallel arrays over its rows, in order of seq; memory-mapped when it was opened.

    Attributes:
        seqs: vec.seq of each row, int64, shape (n,).
        frames: vec.frame of each row, int64, shape (n,).
        spans: where each row's chunk starts and stops, int32, shape (n, 2).
        exact: float16 vectors, shape (n, dim).
        rows: the same as int8, shape (n, dim).
    """

    lo: int
    hi: int
    seqs: NDArray[np.int64]
    frames: NDArray[np.int64]
    spans: NDArray[np.int32]
    exact: NDArray[np.float16]
    rows: NDArray[np.int8]


def file_name(mind: str, incarnation: str, space: int, lo: int, hi: int) -> str:
    """The name of a segment beside its mind."""
    return f"{mind}.{incarnation[-12:]}.{space}.{lo}-{hi}.q8"  # its random end: it begins with the time, like others


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
    }
    temporary = path.with_name(f"{path.name}.{os.getpid()}.{TEMPORARY}")
    with on_disk(path):
        try:
            with opener(temporary) as out:
                out.write(json.dumps(header).encode().ljust(HEADER_BYTES))
                for array in (segment.seqs, segment.frames, segment.spans, segment.exact, segment.rows):
                    out.write(np.ascontiguousarray(array).data)
                out.flush()
                os.fsync(out.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        sync_folder(path.parent)


def open_segment(path: Path, *, incarnation: str, dim: int) -> Segment | None:
    """Map a segment into memory; None when it is missing, torn, or of another incarnation or dimension."""
    try:
        with path.open("rb") as file:
            header: dict[str, Any] = json.loads(file.read(HEADER_BYTES))
            size = os.fstat(file.fileno()).st_size
        count, lo, hi = (header[name] for name in ("rows", "lo", "hi"))
        sound = (
            all(type(number) is int for number in (count, lo, hi))
            and header["magic"] == MAGIC
            and header["format"] == FORMAT
            and header["incarnation"] == incarnation
            and header["dim"] == dim
            and size == HEADER_BYTES + count * (ROW_BYTES + NUMBER_BYTES * dim)
        )
        if not sound:
            return None
        whole = np.memmap(path, np.uint8, "r").view(np.ndarray)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return Segment(lo, hi, *_arrays(whole, count, dim))


def _arrays(whole: NDArray[np.uint8], count: int, dim: int) -> Iterator[NDArray[Any]]:
    """The arrays in the bytes of a file, one behind the other."""
    start = HEADER_BYTES
    shapes = ((np.int64, 1), (np.int64, 1), (np.int32, 2), (np.float16, dim), (np.int8, dim))
    for number, (kind, width) in enumerate(shapes):
        stop = start + count * width * np.dtype(kind).itemsize
        array = whole[start:stop].view(kind)
        yield array if number <= 1 else array.reshape(count, width)
        start = stop
