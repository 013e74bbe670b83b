"""`python -m evals ablation`: what each step of the order brought, on the dev halves.

The pools are the product's; a step is refitted with the features it adds, by weights that have not seen the fold of
cases they are measured on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from evals import profiles
from evals.fit import SETS, collect, held_out, names

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from evals.fit import Row

SHOWN = ("r@10", "all@5", "session hit@1", "session ndcg@10")
STEPS = {
    "keyword score": ("keyword",),
    "+ cosine": ("semantic",),
    "+ late interaction": ("interaction",),
    "+ the next turn": ("next",),
    "+ who speaks, between people": ("speaker", "asks", "answers"),
    "+ the time asked for": ("time",),
    "+ who speaks, beside an assistant": ("role", "standing", "instruction", "preference", "length"),
    "+ openings of sessions": ("opens",),
    "+ what kind of answer is wanted": ("names", "told_time", "told_number"),
    "+ how much of a turn asks, and the lead of the turn before": ("asking", "lead"),
    "+ company": ("company",),
}


def main(data: Path, cache: Path) -> None:
    """Print a Markdown table of each set after each step: turns by R@10 and all@5, sessions by hit@1 and nDCG@10."""
    rows = collect("interaction", data, cache)
    print("| step | " + " | ".join(f"{name} R@10 / all@5, hit@1 / nDCG@10" for name in SETS) + " |")
    print("|---" * (len(SETS) + 1) + "|")
    used: list[str] = []
    for step, added in STEPS.items():
        used += added
        reached = held_out(_only(rows, used))
        cells = [[f"{reached[name][each]:.1f}" for each in SHOWN] for name in SETS]
        print(f"| {step} | " + " | ".join(f"{a} / {b}, {c} / {d}" for a, b, c, d in cells) + " |", flush=True)
    profiles.main(data, cache)


def _only(rows: Sequence[Row], used: Sequence[str]) -> list[Row]:
    """The rows with these features alone."""
    known = names("interaction")
    columns = [known.index(name) for name in used]
    return [replace(row, names=tuple(used), columns=row.columns[:, columns]) for row in rows]
