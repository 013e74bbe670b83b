"""The four profiles of relevance: what each costs on LoCoMo, and how each orders one written mind.

LoCoMo says nothing of importance, use or connection, and its questions ask for old turns as often as for new ones: its
figures are the price of a profile where it has nothing to say, never its worth. That is what the example shows.
"""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import noosphere
from evals.datasets import locomo
from evals.fit import product_of
from evals.metrics import interval, recall, recall_all
from noosphere.recall.relevance import PROFILES

if TYPE_CHECKING:
    from noosphere.mind import Mind

CASES = 2  # of the five conversations
QUESTION = "Heron meeting notes about nests"
TEXTS = {
    "best": "Heron meeting notes about nests: twelve were found",
    "fresh": "Notes about nests: the count goes on",
    "critical": "Notes about nests: never publish where they are",
    "connected": "Meeting notes: the nests were counted",
}
NOW = datetime(2026, 5, 1, tzinfo=UTC)
LONG_AGO = NOW - timedelta(days=900)


def example(mind: Mind) -> dict[str, list[str]]:
    """How each profile orders four memories of one matter: the best match, a fresh, a critical and a connected one."""
    project = mind.entity("Heron", "project")
    mind.remember(TEXTS["best"], said_at=LONG_AGO, volatility="volatile", importance="temporary")
    mind.remember(TEXTS["fresh"], said_at=NOW, volatility="volatile", importance="temporary")
    mind.remember(TEXTS["critical"], said_at=LONG_AGO, volatility="volatile", importance="critical")
    linked = mind.remember(TEXTS["connected"], said_at=LONG_AGO, volatility="volatile", importance="temporary")
    mind.link(linked.id, "part_of_project", project.id)
    mind.flush()
    names = {text: name for name, text in TEXTS.items()}
    return {
        name: [names[hit.text] for hit in mind.rank(QUESTION, 4, now=NOW, profile=name, unsure=True)]
        for name in PROFILES
    }


def main(data: Path, cache: Path) -> None:
    """Print both."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in PROFILES}
    product = product_of("encoder", cache)
    for case in islice(locomo.read(data), CASES):
        with tempfile.TemporaryDirectory() as scratch, product.fill(case, Path(scratch)) as asker:
            for question in case.questions:
                for name in PROFILES if question.scored and question.gold else ():
                    hits = asker.mind.rank(question.text, 10, now=question.at, profile=name, unsure=True)
                    keys = [hit.turn_key or "" for hit in hits]
                    found[name].append((recall(keys, question.gold, 10), recall_all(keys, question.gold, 5)))
    print("| profile | n | locomo R@10 (95 % interval) / all@5 | order of the example |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        settings = noosphere.Settings(background=False, semantic="off")
        with noosphere.open_mind(Path(scratch) / "example.db", settings=settings) as mind:
            orders = example(mind)
    for name, rows in found.items():
        values = [a for a, _ in rows]
        low, high = interval(values)
        print(
            f"| {name} | {len(rows)} | {100 * np.mean(values):.1f} ({100 * low:.1f} to {100 * high:.1f}) / "
            f"{100 * np.mean([b for _, b in rows]):.1f} | {', '.join(orders[name])} |",
            flush=True,
        )
