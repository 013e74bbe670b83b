"""LoCoMo: ten long conversations between two people (Maharana et al. 2024, CC BY-NC); here the dev half.

Evidence is written oddly in places ("D8:6; D9:17", "D:11:26"). A public audit corrected the citations of some
questions; they are used unless the original labels are asked for. Categories: 1 multi-hop, 2 temporal,
3 open-domain, 4 single-hop, 5 adversarial.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from evals.datasets.case import Case, Question, Said, Sitting, Talk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
ADVERSARIAL = 5
EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
SESSION = re.compile(r"session_(\d+)")
# The files of the whole benchmark, by which the audit numbers them.
NUMBERED = (
    "conv-26", "conv-30", "conv-41", "conv-42", "conv-43", "conv-44", "conv-47", "conv-48", "conv-49", "conv-50",
)  # fmt: skip


def read(folder: Path, *, corrected: bool = True) -> Iterator[Case]:
    """Read the conversations, with the audit's corrections or without."""
    corrections = _corrections(folder) if corrected else {}
    for entry in json.loads((folder / "locomo" / "locomo_dev.json").read_text(encoding="utf-8")):
        yield _case(entry, corrections)


def _corrections(folder: Path) -> dict[str, list[str]]:
    errors = json.loads((folder / "locomo" / "audit_errors.json").read_text(encoding="utf-8"))
    return {e["question_id"]: e["correct_evidence"] for e in errors if e.get("correct_evidence")}


def _case(entry: dict[str, Any], corrections: dict[str, list[str]]) -> Case:
    spoken = entry["conversation"]
    numbers = sorted(int(m[1]) for key in spoken if (m := SESSION.fullmatch(key)))
    sittings = tuple(_sitting(spoken, number) for number in numbers)
    there = {turn.id for sitting in sittings for turn in sitting.turns}
    questions: list[Question] = []
    for n, qa in enumerate(entry["qa"]):
        name = f"locomo_{NUMBERED.index(entry['sample_id'])}_qa{n}"
        cited = corrections.get(name, qa.get("evidence") or [])
        gold = frozenset(f"D{a}:{b}" for line in cited for a, b in EVIDENCE.findall(str(line))) & there
        if gold:
            kind = KINDS[qa["category"]]
            questions.append(Question(name, qa["question"], kind, gold, scored=qa["category"] != ADVERSARIAL))
    people = (spoken["speaker_a"], spoken["speaker_b"])
    talk = Talk(entry["sample_id"], sittings, people, one_conversation=True)
    return Case(entry["sample_id"], (talk,), tuple(questions))


def _sitting(talk: dict[str, Any], number: int) -> Sitting:
    at = datetime.strptime(talk[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    return Sitting(f"S{number}", at, tuple(_turn(turn, at) for turn in talk[f"session_{number}"]))


def _turn(turn: dict[str, Any], at: datetime) -> Said:
    text = (turn.get("text") or "").strip()
    if caption := (turn.get("blip_caption") or "").strip():
        text = f"{text} [shares photo: {caption}]".strip()
    return Said(turn["dia_id"], turn["speaker"], None, text, at)
