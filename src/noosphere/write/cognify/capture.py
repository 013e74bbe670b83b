"""capture: the sentences of a turn that are worth keeping, by cues and by the rules of facts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from noosphere.graph.facts import found_slots
from noosphere.write.cognify.cues import rulebook
from noosphere.write.cognify.spoken import sentences

if TYPE_CHECKING:
    from noosphere.write.cognify.cues import Asked, Target

Side = Literal["user", "assistant"]
FEW = 3  # words: less says nothing by itself
WEAK = frozenset({"event", "task", "commitment"})  # a sentence that fills a slot is a fact before it is one of these
ORDERS = frozenset({"style", "preference"})  # two words are enough for one: "Plain English"
LASTING = frozenset(["identity", "contact", "job_title", "price"])  # where a thing is, or how, is seldom worth keeping
PROPOSED = 400  # characters at the end of what the other side said, in which a proposal is looked for
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
TASTES = ("favorite", "favourite", "prefer", "like", "dislike")


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """A sentence worth keeping; `why` says what hindered it, when something did."""

    text: str
    role: str
    importance: str
    target: Target
    cue: str
    why: str | None = None


def capture(text: str, side: Side, previous: str = "") -> list[Capture]:
    """The sentences of a turn that give a cue, in order, each once; `previous` is what the other side said last."""
    said = dict.fromkeys(sentences(text))
    found = (_captured(sentence, side, previous[-PROPOSED:] if n == 0 else "") for n, sentence in enumerate(said))
    return [one for one in found if one is not None]


def _captured(sentence: str, side: Side, previous: str) -> Capture | None:
    rules = rulebook()
    bare = rules.bare(sentence)
    cue = rules.find(bare, side, previous)
    found = None if cue is None else (cue.role, cue.importance, cue.target, cue.id)
    if side == "user" and (cue is None or cue.role in WEAK):
        found = _fact(sentence) or found
    if found is None:
        return None
    role, importance, asked, name = found
    if role not in ORDERS and _length(bare) < FEW:
        return None
    target = rules.target(bare, asked)
    return Capture(
        text=sentence, role=role, importance=importance, target=target, cue=name, why=rules.hinders(bare, role)
    )


def _length(sentence: str) -> int:
    """Words; of a script without blanks, three characters count as one."""
    return len(sentence.split()) + len(UNSPACED.findall(sentence)) // 3


def _fact(sentence: str) -> tuple[str, str, Asked, str] | None:
    """The role and place of a sentence that fills a slot."""
    slots = [slot for slot in found_slots(sentence) if slot.rule != "frame" or slot.attribute in LASTING]
    if not slots:
        return None
    taste = slots[0].attribute.startswith(TASTES)
    about: Asked = "personal" if taste or slots[0].subject == "user" else "topic"
    return "preference" if taste else "fact", "normal", about, f"fact:{slots[0].rule}"
