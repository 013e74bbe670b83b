"""LoCoMo-plus: a remark in passing, and much later one that only makes sense with it in mind; the dev half.

Each cue is put into one of LoCoMo's conversations as a session of its own, evenly spread over its time, and the later
remark is the question: hardly a word in common, so meaning must find it. Gold is the cue's turns.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from evals.datasets import locomo
from evals.datasets.case import Case, Question, Said, Sitting, Talk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def read(folder: Path) -> Iterator[Case]:
    """Read one case per conversation, with its share of the cues."""
    entries = json.loads((folder / "locomo_plus" / "locomo_plus_dev.json").read_text(encoding="utf-8"))
    hosts = list(locomo.read(folder))
    for n, host in enumerate(hosts):
        yield _case(host, entries[n :: len(hosts)])


def _case(host: Case, entries: list[dict[str, Any]]) -> Case:
    talk = host.talks[0]
    sittings = list(talk.sittings)
    questions: list[Question] = []
    for n, entry in reversed(list(enumerate(entries))):
        after = (n + 1) * len(talk.sittings) // (len(entries) + 1)
        cue = _cue(f"cue{n}", entry["cue_dialogue"], talk, talk.sittings[after])
        sittings.insert(after + 1, cue)
        gold = frozenset(turn.id for turn in cue.turns)
        name = f"{host.id}/{n}"
        questions.append(Question(name, _said(entry["trigger_query"])[1], entry["relation_type"], gold))
    return Case(host.id, (Talk(talk.id, tuple(sittings), talk.participants, True),), tuple(reversed(questions)))


def _cue(name: str, dialogue: str, talk: Talk, host: Sitting) -> Sitting:
    turns: list[Said] = []
    for n, line in enumerate(filter(None, map(str.strip, dialogue.replace("\\n", "\n").splitlines()))):
        who, text = _said(line)
        turns.append(Said(f"{name}:{n}", talk.participants["AB".index(who)], None, text, host.at))
    return Sitting(name, host.at, tuple(turns))


def _said(line: str) -> tuple[str, str]:
    who, _, text = line.partition(": ")
    return (who, text) if who in {"A", "B"} else ("A", line)
