"""Fitting by grade: each in a process of its own, which writes its section of a file; the other sections stay."""

from __future__ import annotations

import re
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from noosphere.recall.weights import Grade


def refit(
    file: Path, grades: Sequence[Grade], fitted: Callable[[Grade, Path, Path], str], data: Path, cache: Path
) -> None:
    """Fit these grades, and write what `fitted` gives for each in place of its section."""
    with ProcessPoolExecutor(len(grades), get_context("spawn")) as pool:
        found = dict(zip(grades, pool.map(fitted, grades, [data] * len(grades), [cache] * len(grades)), strict=True))
    head, *sections = re.split(r"\n\n(?=\[)", file.read_text(encoding="utf-8").rstrip())
    kept = {section[1 : section.index("]")]: section for section in sections}
    file.write_text("\n\n".join([head, *(kept | found).values()]) + "\n", encoding="utf-8")
