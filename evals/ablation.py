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
    "+ company": ("company",),
}


def main(data: Path, cache: Path) -> None:
    """Print a Markdown table: turn R@10 and all@5 of each set after each step."""
    rows = collect("interaction", data, cache)
    print("| step | " + " | ".join(f"{name} R@10 / all@5" for name in SETS) + " |")
    print("|---" * (len(SETS) + 1) + "|")
    used: list[str] = []
    for step, added in STEPS.items():
        used += added
        reached = held_out(_only(rows, used))
        cells = (f"{reached[name]['r@10']:.1f} / {reached[name]['all@5']:.1f}" for name in SETS)
        print(f"| {step} | " + " | ".join(cells) + " |", flush=True)
    profiles.main(data, cache)


def _only(rows: Sequence[Row], used: Sequence[str]) -> list[Row]:
    """The rows with these features alone."""
    known = names("interaction")
    columns = [known.index(name) for name in used]
    return [replace(row, names=tuple(used), columns=row.columns[:, columns]) for row in rows]
