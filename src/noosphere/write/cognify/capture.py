"""capture: the sentences of a turn that are worth keeping, by cues and by the rules of facts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from noosphere.graph.facts import found_slots
from noosphere.write.cognify.cues import begins_with_name, rulebook
from noosphere.write.cognify.spoken import sentences

if TYPE_CHECKING:
    from noosphere.write.cognify.cues import Asked, Target

Side = Literal["user", "assistant"]
FEW = 3  # words: less says nothing by itself
OTHER = "other-"  # the cues of other languages
WEAK = frozenset({"event", "task", "commitment"})  # a sentence that fills a slot is a fact before it is one of these
ORDERS = frozenset({"style", "preference"})  # two words are enough for one: "Plain English"
LASTING = frozenset(["identity", "contact", "job_title", "price"])  # where a thing is, or how, is seldom worth keeping
PROPOSED = 400  # characters at the end of what the other side said, in which a proposal is looked for
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
BARE_YES = "decision-yes"  # it says nothing but yes: its form is all there is to judge
ACCEPTING = frozenset({"decision-accept", "decision-choice", BARE_YES})  # what they accept is said elsewhere
PROPOSES = re.compile(
    r"\?|\b(?:suggest|propose|proposal|recommend|could|should|let['’]s|option|vari\w+|schlage|propon\w*|stel voor)\b",
    re.IGNORECASE,
)
QUOTED = re.compile(r"^[\"“][^\"”]*$|^[^\"“]*[.!?][\"”]$|^[\"“][^\"”]*[\"”]$")  # a piece of a text in quotation marks
SLOT = "fact:"
LONGEST_TITLE = 200  # characters
TASTES = ("favorite", "favourite", "prefer", "like", "dislike")


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """A sentence worth keeping.

    Attributes:
        about: the proposal that it accepts, when it does.
        why: what hindered it, when something did.
        kind, volatility, tags: what a model says of it, where one was asked; rules fill in what is left out.
        status: draft when a model takes it for unsettled, or is not sure that it is worth keeping.
        confidence: how sure the model is of that, 0 to 1.
    """

    text: str
    role: str
    importance: str
    target: Target
    cue: str
    about: str | None = None
    why: str | None = None
    kind: str | None = None
    volatility: str | None = None
    tags: tuple[str, ...] = ()
    status: str | None = None
    confidence: float | None = None


def capture(text: str, side: Side, previous: str = "") -> list[Capture]:
    """The sentences of a turn that give a cue, in order, each once; `previous` is what the other side said last."""
    said = dict.fromkeys(sentences(text))
    found = (_captured(sentence, side, previous[-PROPOSED:], first=n == 0) for n, sentence in enumerate(said))
    return [one for one in found if one is not None]


def _captured(sentence: str, side: Side, previous: str, *, first: bool) -> Capture | None:
    rules = rulebook()
    if QUOTED.search(sentence):
        return None
    bare = rules.bare(sentence)
    met = _met(bare, sentence, side, previous if first else "")
    if met is None:
        return None
    role, importance, asked, name, part = met
    if role not in ORDERS and name not in ACCEPTING and _length(bare) < FEW and not _whole(bare, name):
        return None
    return Capture(
        text=sentence,
        role=role,
        importance=importance,
        target=rules.target(bare, asked),
        cue=name,
        about=_proposal(previous) if name in ACCEPTING else None,
        why=None if name == BARE_YES else rules.hinders(bare, _judged(role, name), side, previous, part),
    )


def _met(bare: str, sentence: str, side: Side, previous: str) -> tuple[str, str, Asked, str, str] | None:
    """What a sentence is, by the cue of the whole or of a clause, by a rule of facts, or by its form alone."""
    rules, part = rulebook(), ""
    cue = rules.find(bare, side, previous)
    if cue is None and side == "user":  # an assistant's clauses are mostly parts of an explanation
        for clause in rules.parts(bare):
            said = rules.find(clause, side)
            if said is not None and rules.hinders(bare, said.role, side, previous, clause) is None:
                cue, part = said, clause
                break
    if side == "user" and (cue is None or cue.role in WEAK) and (fact := _fact(sentence)) is not None:
        return (*fact, part)
    cue = cue or rules.find(bare, side, broad=True)
    return None if cue is None else (cue.role, cue.importance, cue.target, cue.id, part)


def _judged(role: str, name: str) -> str:
    """The role by which a sentence may be spared: what only fills a slot is judged as a fact, whatever it fills."""
    return "fact" if name.startswith(SLOT) else role


def _proposal(previous: str) -> str | None:
    """The last sentence of what the other side said that proposes something."""
    said = [one for one in sentences(previous) if PROPOSES.search(one)]
    return said[-1][:LONGEST_TITLE] if said else None


def _length(sentence: str) -> int:
    """Words; of a script without blanks, three characters count as one."""
    return len(sentence.split()) + len(UNSPACED.findall(sentence)) // 3


def _whole(bare: str, name: str) -> bool:
    """Whether two words are a sentence, because a verb tells whose it is: "Soy celíaca"."""
    return name.startswith(OTHER) and len(bare.split()) == FEW - 1


def _fact(sentence: str) -> tuple[str, str, Asked, str] | None:
    """The role and place of a sentence that fills a slot."""
    slots = [slot for slot in found_slots(sentence) if slot.rule != "frame" or slot.attribute in LASTING]
    if not slots:
        return None
    taste = slots[0].attribute.startswith(TASTES)
    if taste and slots[0].subject != "user" and not begins_with_name(sentence):
        return None  # "Family's love grounds us" tells of nobody's taste
    about: Asked = "personal" if taste or slots[0].subject == "user" else "topic"
    return "preference" if taste else "fact", "normal", about, f"{SLOT}{slots[0].rule}"
