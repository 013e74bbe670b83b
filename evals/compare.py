"""The regression check: two runs over the same questions, and which differences are beyond noise.

    python -m evals.compare before.json after.json

Exits with 1 when something got worse beyond noise.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from evals.metrics import difference
from evals.report import HEAD

TINY = 1e-9


def compare(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, float, float, float]]:
    """The paired differences (after − before) of every metric whose 95 % interval leaves out zero."""
    found: list[tuple[str, float, float, float]] = []
    old = {(a["dataset"], a["system"], a["question"]): a for a in before["answers"] if a["scored"]}
    new = {(a["dataset"], a["system"], a["question"]): a for a in after["answers"] if a["scored"]}
    groups = sorted({key[:2] for key in old.keys() & new.keys()})
    for dataset, system in groups:
        keys = sorted(k for k in old.keys() & new.keys() if k[:2] == (dataset, system))
        for level, metric in HEAD:
            gap = difference([new[k][level][metric] for k in keys], [old[k][level][metric] for k in keys])
            if gap[1] > TINY or gap[2] < -TINY:
                found.append((f"{dataset} {system} {level} {metric} (n = {len(keys)})", *gap))
    return found


def main() -> int:
    """Compare two result files."""
    parser = argparse.ArgumentParser(description="Compare two eval runs over the same questions.")
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    given = parser.parse_args()
    before, after = (json.loads(p.read_text(encoding="utf-8")) for p in (given.before, given.after))
    changes = compare(before, after)
    for name, middle, low, high in changes:
        word = "better" if middle > 0 else "worse"
        print(f"{word}: {name}: {100 * middle:+.2f} points ({100 * low:+.2f} to {100 * high:+.2f})")
    if not changes:
        print("no difference beyond noise")
    return int(any(middle < 0 for _, middle, _, _ in changes))


if __name__ == "__main__":
    sys.exit(main())
