"""`python -m evals languages`: questions whose answer is in another language, with both encoders.

Two written sets: one from the design alone, before any rule (`cross`, 73), one like it (`second`, 60). No number of
the product is fitted to either; the directions of languages come from sentences of their own (`evals neutral`).
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import noosphere
from evals.metrics import interval
from noosphere.providers.embed import files
from noosphere.providers.embed.encoder import Encoder, Pooled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from noosphere.providers.ports import Embedder

FOLDER = Path(__file__).parent / "languages"
SETS = ("cross", "second")
DEPTH = 5
MODELS: dict[str, Callable[[], Embedder]] = {"minilm": Encoder, "multilingual": lambda: Pooled(files.MULTILINGUAL)}
WAYS: dict[str, dict[str, Any]] = {"vectors alone": {"lanes": ("semantic",)}, "whole recall": {}}


def main(_data: Path, _cache: Path) -> None:
    """Print, by model and by how it is asked, how often the right memory is the first and among the first five."""
    print("| encoder | asked with | set | n | first | among five | no answer at the default |")
    print("|---" * 7 + "|")
    for name, make in MODELS.items():
        model = make()
        for way, options in WAYS.items():
            both = [row for which in SETS for row in _ask(which, model, options)]
            for which in (*SETS, "both"):
                rows = [row for row in both if which in {row[0], "both"}]
                first, five, none = ([row[n] for row in rows] for n in (1, 2, 3))
                print(f"| {name} | {way} | {which} | {len(rows)} | {_show(first)} | {_show(five)} | {_show(none)} |")


def lines(which: str) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """The memories of a set by their ids, and its questions."""
    rows = [json.loads(line) for line in (FOLDER / f"{which}.jsonl").read_text(encoding="utf-8").splitlines()]
    memories = {row["id"]: row["text"] for row in rows if row["type"] == "memory"}
    return memories, [row for row in rows if row["type"] == "question"]


def _ask(which: str, model: Embedder, options: dict[str, Any]) -> Iterator[tuple[str, float, float, float]]:
    """Of every question: its set, whether the right one is first, among the first, and whether nothing is said."""
    memories, questions = lines(which)
    settings = noosphere.Settings(background=False)
    with (
        tempfile.TemporaryDirectory() as scratch,
        noosphere.open_mind(Path(scratch) / "mind.db", settings=settings, embedder=model) as mind,
    ):
        mind.remember_many(list(memories.values()))
        mind.flush()
        for question in questions:
            right = {memories[each] for each in question["right"]}
            ranked = [hit.text for hit in mind.rank(question["ask"], DEPTH, unsure=True, **options)]
            yield (
                which,
                float(ranked[0] in right) if ranked else 0.0,
                float(any(text in right for text in ranked)),
                float(not mind.rank(question["ask"], DEPTH, **options)),
            )


def _show(values: Sequence[float]) -> str:
    low, high = interval(values)
    return f"{100 * sum(values) / len(values):.1f} ({100 * low:.0f} to {100 * high:.0f})"
