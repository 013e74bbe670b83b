"""`python -m evals learning`: written exchanges through a mind; what is kept, what is missed, and where it is sent.

A kept sentence is right when it and a wanted one hold each other, word for word.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from evals.learning import cases, junk
from evals.metrics import interval, mean
from noosphere import open_mind
from noosphere.model.exchange import Exchange
from noosphere.write.cognify.capture import capture

if TYPE_CHECKING:
    from evals.learning.cases import Case, Wanted
    from noosphere.model.exchange import Learnt

PURE = ("chatter", "code", "logs", "tool", "recalled", "system", "question")
NAMES = {
    "precision": "precision",
    "recall": "recall",
    "routing": "routing of what is right",
    "role": "role of what is right",
    "source": "source of what is right",
}


@dataclass(slots=True)
class Scores:
    """Right and wrong by measure, and a line for each miss."""

    by: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in NAMES})
    failed: list[str] = field(default_factory=list)
    junk: int = 0  # kept from exchanges in which nothing is worth it
    seconds: float = 0.0
    rules: float = 0.0


def main(data: Path, cache: Path) -> None:
    """Print the halves apart, and how much of what is kept from dialogues is junk, where these are there."""
    for name in os.environ.get("LEARNING_HALVES", "own seen blind further third fourth fifth kinds").split():
        half = getattr(cases, name)()
        scores = measure(half)
        print(f"\n{name}: {len(half)} exchanges, {sum(len(c.wanted) for c in half)} sentences worth keeping")
        for key, label in NAMES.items():
            low, high = interval(scores.by[key])
            share = 100 * mean(scores.by[key])
            print(f"  {label:26} {share:5.1f}  [{100 * low:.1f}, {100 * high:.1f}]  {len(scores.by[key])}")
        print(f"  kept where nothing is worth it: {scores.junk}")
        whole, rules = (1000 * seconds / len(half) for seconds in (scores.seconds, scores.rules))
        print(f"  CPU an exchange: {whole:.2f} ms, its rules {rules:.2f} ms")
        if name == "own" or os.environ.get("LEARNING_VERBOSE"):
            print("\n".join(scores.failed), file=sys.stderr)
        else:
            print("  failures by kind:", dict(Counter(line.split("\t")[1] for line in scores.failed).most_common()))
    if data.is_dir():
        print("\nfrom dialogues, labelled by hand:")
        junk.main(data, cache)


def measure(half: list[Case]) -> Scores:
    """Run every exchange through a mind of its own conversation."""
    scores = Scores()
    with tempfile.TemporaryDirectory() as folder, open_mind(Path(folder) / "mind.db", embedder=None) as mind:
        for case in half:
            exchange = Exchange(
                user=case.user,
                assistant=case.assistant,
                tools=case.tools,
                conversation=case.id,
                workspace=case.workspace,
                previous=case.previous,
            )
            start = time.process_time()
            learnt = mind.cognify(exchange).learnt
            scores.seconds += time.process_time() - start
            start = time.process_time()
            capture(case.user, "user", case.previous or "")
            capture(case.assistant, "assistant", case.user)
            scores.rules += time.process_time() - start
            _judge(case, learnt, scores)
    return scores


def _judge(case: Case, learnt: tuple[Learnt, ...], scores: Scores) -> None:
    left = list(case.wanted)
    for one in learnt:
        match = next((w for w in left if _same(one.text, w.text)), None)
        if match is None and case.unwanted is not None and not any(_same(one.text, t) for t in case.unwanted):
            continue
        scores.by["precision"].append(float(match is not None))
        if match is None:
            scores.junk += not case.wanted
            scores.failed.append(f"{case.kind}\tjunk\t{one.cue}\t{one.text}")
            continue
        left.remove(match)
        _compare(case, one, match, scores)
    missed = len(left)
    scores.by["recall"] += [1.0] * (len(case.wanted) - missed) + [0.0] * missed
    scores.failed += [f"{case.kind}\tmissed\t{w.roles}\t{w.text}" for w in left]


def _compare(case: Case, one: Learnt, match: Wanted, scores: Scores) -> None:
    for key, is_right, got in (
        ("role", one.role in match.roles, one.role),
        ("routing", one.target == match.target, one.target),
        ("source", one.source == match.source, one.source),
    ):
        scores.by[key].append(float(is_right))
        if not is_right:
            scores.failed.append(f"{case.kind}\t{key}\t{got}\t{one.cue}\t{one.text}")


def _same(one: str, other: str) -> bool:
    a, b = (" ".join(re.findall(r"\w+", text.lower())) for text in (one, other))
    return bool(a and b) and (a in b or b in a)
