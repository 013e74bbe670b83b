"""`python -m evals junk`, also at the end of `learning`: how much of what is kept from the dev dialogues is worth it.

A seeded sample of captures is labelled by hand, blind, twice, the second time in another order and without a look at
the first labels. A capture is good when it is a fact, preference, decision, plan or task that was really said, that may
matter in a month, and that can be understood where it stands: who or what it speaks of is named, or is its speaker.
The labels stand in `junk.jsonl` by the hash of a sentence and its neighbourhood, not by its text, which is not ours.

LEARNING_DRAW=1 prints the sample for labelling, in the order of the first pass; LEARNING_DRAW=2 in that of the second.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evals.datasets import beam, locomo
from evals.learning.cases import HERE
from evals.metrics import interval, mean
from noosphere.write.cognify.capture import capture

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from evals.datasets.case import Case

LABELS = HERE / "junk.jsonl"
SETS = {"locomo": locomo.read, "beam": beam.read}
EACH = 100  # captures of a set
SEED = 20261201  # another sample than those whose junk was read while the rules were made
DIGITS = 16
SHOWN = 6  # samples of each kind
WIDE = 110  # characters of one


@dataclass(frozen=True, slots=True)
class Kept:
    """A sentence that is kept, where it stands, and the cue."""

    dataset: str
    place: str
    speaker: str
    role: str
    cue: str
    text: str

    @property
    def key(self) -> str:
        """Its name in the file of labels."""
        return hashlib.sha256(f"{self.dataset}\n{self.place}\n{self.text}".encode()).hexdigest()[:DIGITS]

    @property
    def draw(self) -> str:
        """What puts it in a random order of its own."""
        return hashlib.sha256(f"{SEED}\n{self.key}".encode()).hexdigest()


def main(data: Path, _cache: Path) -> None:
    """Print the shares of good captures by the labels, or the sample that is to be labelled."""
    drawn = sample(data)
    if order := os.environ.get("LEARNING_DRAW"):
        random.Random(int(order)).shuffle(drawn)
        for one in drawn:
            print(f"{one.key}\t{one.dataset}\t{one.speaker}\t{one.role}\t{one.cue}\t{one.text}")
        return
    labels = {row["key"]: row for row in map(json.loads, LABELS.read_text(encoding="utf-8").splitlines())}
    known = [one for one in drawn if one.key in labels]
    print(f"{len(drawn)} captures drawn, {len(known)} of them labelled, twice each")
    for name in (*SETS, "both"):
        part = [labels[one.key] for one in known if name in ("both", one.dataset)]
        for when in ("first", "second"):
            marks = [float(row[when]) for row in part]
            low, high = interval(marks)
            print(
                f"  {name:7} {when:6} {100 * mean(marks):5.1f} % good  [{100 * low:.1f}, {100 * high:.1f}]  {len(part)}"
            )
    rows = [labels[one.key] for one in known]
    same, kappa = agreement([(row["first"], row["second"]) for row in rows])
    print(f"  the two passes agree on {100 * same:.1f} %, kappa {kappa:.2f}")
    for good in (True, False):
        shown = [one for one in known if labels[one.key]["first"] is labels[one.key]["second"] is good][:SHOWN]
        print("  good:" if good else "  junk:")
        print("\n".join(f"    {one.dataset} {one.cue}: {one.text[:WIDE]}" for one in shown))
    bad = Counter(one.cue for one in known if not labels[one.key]["first"])
    print("  junk by cue:", dict(bad.most_common(12)))


def sample(data: Path) -> list[Kept]:
    """The same captures every time; when rules change, those that are kept still stay in the sample."""
    drawn: list[Kept] = []
    for name, read in SETS.items():
        found = {one.key: one for case in read(data) for one in _kept(name, case)}
        drawn += sorted(found.values(), key=lambda one: one.draw)[:EACH]
    return drawn


def agreement(pairs: list[tuple[bool, bool]]) -> tuple[float, float]:
    """The share of equal labels, and Cohen's kappa."""
    if not pairs:
        return 0.0, 0.0
    same = mean([float(a == b) for a, b in pairs])
    a, b = (mean([float(pair[side]) for pair in pairs]) for side in (0, 1))
    chance = a * b + (1 - a) * (1 - b)
    return same, 1.0 if chance == 1 else (same - chance) / (1 - chance)


def _kept(name: str, case: Case) -> Iterator[Kept]:
    """What is kept of a dialogue; the people of LoCoMo are all users."""
    for talk in case.talks:
        for sitting in talk.sittings:
            before = ""
            for turn in sitting.turns:
                side = "assistant" if turn.role == "assistant" else "user"
                for one in capture(turn.text, side, before):
                    if one.why is None:
                        place = f"{case.id}/{sitting.id}/{turn.id}"
                        yield Kept(name, place, turn.speaker, one.role, one.cue, one.text)
                before = turn.text
