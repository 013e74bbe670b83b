"""From the facts that rules find in a text to the slot of its memory, the facts drawn from it, and what it corrects."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from noosphere.clock import DAY, micros, moment
from noosphere.graph.facts import (
    FoundSlot,
    content,
    found_correction,
    found_endings,
    found_slots,
    names_person,
    spell,
    topic,
)
from noosphere.model.slot import normal, normal_value
from noosphere.model.vocabulary import Claim, Provenance, Status
from noosphere.model.when import FIRST, LAST
from noosphere.records import dataclass
from noosphere.store import edges, nodes
from noosphere.store.corrections import Said, in_slot, said_lately
from noosphere.store.hashing import content_hash
from noosphere.store.slots import SlotKey
from noosphere.write.apply import apply
from noosphere.write.occurrence import with_occurrence
from noosphere.write.parse import BEGINNING, Parsed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, tzinfo

    from noosphere.graph.facts import Correction
    from noosphere.graph.facts.when import Held
    from noosphere.model.edge import EdgeType
    from noosphere.store.connection import Connection
    from noosphere.store.nodes import State
    from noosphere.store.transaction import Entry, Tx

STATE = "status"
SHORT = 3  # sentences: a longer text outlives any one of its facts, so its facts are drawn from it
ALIKE = 3  # words that a correction shares with what it corrects, when nothing else ties them
REACH = 2 * DAY  # how far back "scrap that" can mean


@dataclass(frozen=True, slots=True)
class Meant:
    """Whom "he" or "she" and what "it" mean at the start of a memory: what was spoken of last in its session."""

    person: str | None = None
    thing: str | None = None


NOBODY = Meant()
ONWARDS = re.compile(r"\b(?:from|as of|starting|effective|until|till|due)\b", re.IGNORECASE)
POINTS_BACK = re.compile(r"\s*(?:he|she|it)(?:['’]s)?\s", re.IGNORECASE)


def points_back(text: str) -> bool:
    """Whether a memory begins with a word for what was spoken of before."""
    return POINTS_BACK.match(text) is not None


def spoken_of(state: State, before: Meant) -> Meant:
    """What a later "he" or "it" means, after a memory that fills a slot."""
    if state.attribute is None or state.subject is None or state.subject in ("user", "we"):
        return before
    if names_person(state.subject):
        return replace(before, person=state.subject)
    return replace(before, thing=f"the {state.subject}")


def last_spoken_of(sql: Connection, session: int) -> Meant:
    """What was spoken of last in a session."""
    meant = NOBODY
    for said in reversed(said_lately(sql, session)):
        if said.slot is not None:
            meant = spoken_of(nodes.current(sql, said.node).state, meant)
    return meant


def with_facts(memory: Parsed, speaker: str | None, zone: tzinfo, now: int, meant: Meant = NOBODY) -> Parsed:
    """Fill the slot of a memory whose caller named none, draw from it what it says beside that, and date them."""
    return with_occurrence(
        memory if memory.slot is not None else _with_slots(memory, speaker, zone, now, meant), zone, now
    )


def _with_slots(memory: Parsed, speaker: str | None, zone: tzinfo, now: int, meant: Meant) -> Parsed:
    """The memory with its slot and what it draws and corrects; what looks like an attack changes no truth."""
    if memory.state.suspect is not None:
        return memory
    said = moment(now if memory.said_at is None else memory.said_at).astimezone(zone)
    found = found_slots(memory.text, speaker or "user", said, meant.person, meant.thing)
    facts = [f for f in found if _of_subject(f, memory.state, speaker) and not _is_plan(f, memory.text, said)]
    endings = tuple(found_endings(memory.text, speaker or "user", said))
    correction = found_correction(memory.text)
    if correction is not None or endings:
        memory = memory._replace(correction=correction, endings=endings)
    if not facts:
        state = _past(memory.state, spell(memory.text, said))
        state = state if speaker is None else _spoken(state, speaker)
        return memory if state is memory.state else memory._replace(state=state)
    main = _main(facts) if memory.text.count(". ") + memory.text.count("\n") < SHORT else None
    if main is None:
        return memory._replace(drawn=tuple(_drawn(memory, fact, now) for fact in facts))
    rest = [f for f in facts if f is not main and (f.subject, f.attribute) != (main.subject, main.attribute)]
    if not main.functional:
        rest = [f for f in facts if f is not main]
    rest = [f for f in rest if f.functional or f.ends or f.rule != "frame"]  # what a thing is like, said by the way
    drawn = tuple(_drawn(memory, fact, now) for fact in rest)
    return memory._replace(state=_filled(memory.state, main, now), drawn=drawn)


def _is_plan(fact: FoundSlot, text: str, said: datetime) -> bool:
    """Whether a fact is a state of a day to come, told as what will happen: "the shop is closed on 4 March"."""
    if fact.attribute != STATE or fact.since is None or fact.since <= micros(said):
        return False
    return ONWARDS.search(text, *fact.span) is None


def value_in(text: str, state: State) -> str | None:
    """The value that a text states, by the rules, of the slot that a memory fills; None when it states none or several.

    What looks like an attack changes no truth.
    """
    if state.attribute is None or state.suspect is not None:
        return None
    told = {
        fact.value
        for fact in found_slots(text, state.subject or "user")
        if fact.attribute == state.attribute and topic(fact.subject) == state.slot_subject and not fact.ends
    }
    return told.pop() if len(told) == 1 else None


def _main(facts: list[FoundSlot]) -> FoundSlot | None:
    """The fact that a short text is there to tell: that of its only functional slot, or of its only sentence."""
    told = [f for f in facts if f.functional]
    if len({(f.subject, f.attribute) for f in told}) == 1:
        return next((f for f in reversed(told) if not f.ends), told[-1])
    if len({f.span for f in facts}) > 1:
        return None
    return next((f for f in (told or facts) if not f.ends), facts[0])


def _past(state: State, held: Held | None) -> State:
    """The state of a memory that fills no slot and tells of a spell that is over."""
    if held is None or held.since is None or held.until is None or state.stated_to is not None:
        return state
    if state.valid_basis in ("stated", "occurred"):
        return state
    return state._replace(
        valid_from=held.since,
        valid_basis="stated",
        stated_from=held.since,
        stated_to=held.until,
        stated_grain="day",
    )


def _spoken(state: State, speaker: str) -> State:
    """The state of what somebody says of themselves: it is about them."""
    return state if state.subject is not None else state._replace(subject=speaker)


def _of_subject(fact: FoundSlot, state: State, speaker: str | None) -> bool:
    """Whether a fact may be about the subject that the caller gave; "I" is that subject unless a speaker is named."""
    if state.subject is None or normal(fact.subject) == normal(state.subject):
        return True
    return speaker is None and fact.subject == "user"


def _drawn(memory: Parsed, fact: FoundSlot, now: int) -> Parsed:
    text = memory.text[slice(*fact.span)].strip()
    state = _filled(memory.state._replace(title=None, metadata=None), fact, now)._replace(fold_hash=content_hash(text))
    return memory._replace(text=text, state=state, drawn=(), correction=None, endings=(), repairs=(), given=())


def _filled(state: State, fact: FoundSlot, now: int) -> State:
    """The state with a fact's slot and times; a time that the caller gave stays."""
    subject = state.subject or fact.subject
    state = state._replace(
        subject=subject,
        slot_subject=normal(subject) if state.subject is not None else topic(subject),
        attribute=fact.attribute,
        functional=int(fact.functional),
        value=fact.value,
        value_norm=normal_value(fact.value),
        negated=int(fact.ends),
    )
    if state.valid_basis in ("stated", "occurred") or state.stated_to is not None:
        return state
    said = now if state.valid_from is None else state.valid_from
    since, until = _sound(fact.since), _sound(fact.until)
    if until is not None and since is None and until <= said:
        since = BEGINNING
    if since is not None and (until is None or since < until):
        known = {"stated_from": since, "stated_grain": "day"} if since != BEGINNING else {}
        state = state._replace(valid_from=since, valid_basis="stated", **known)
    return state._replace(stated_to=until) if until is not None and until > (state.valid_from or said) else state


def _sound(at: int | None) -> int | None:
    return at if at is not None and FIRST <= at < LAST else None


def aims(sql: Connection, memory: Parsed, session: int) -> list[Said]:
    """The memories that a correction may refer to: none, the one it means, or several among which it does not tell."""
    correction, state = memory.correction, memory.state
    if correction is None:
        return []
    said = memory.said_at
    lately = [s for s in said_lately(sql, session) if said is None or s.at <= said]
    if state.attribute is not None and not correction.takes_back:
        slot = in_slot(sql, SlotKey(state.slot_subject or "", state.attribute))
        slot = [s for s in slot if s.value_norm != state.value_norm and (said is None or s.at <= said)]
        return slot[:1] or _by_words(lately, correction)
    if correction.wrong is not None:
        return _by_words(lately, correction)
    near = [s for s in lately if said is None or said - s.at <= REACH]
    return near[:1] if correction.takes_back else _alike(near, memory.text)


def _alike(near: list[Said], text: str) -> list[Said]:
    """The memory that shares most words with a correction, if it shares enough and no other shares as many."""
    own = set(normal(text).split())
    shared = sorted(((len(own & set(normal(s.text).split())), s) for s in near), key=lambda pair: -pair[0])
    if not shared or shared[0][0] < ALIKE or (len(shared) > 1 and shared[1][0] == shared[0][0]):
        return []
    return [shared[0][1]]


def _by_words(lately: list[Said], correction: Correction) -> list[Said]:
    wrong = normal(correction.wrong or "")
    held = [s for s in lately if wrong in normal(s.text)] if wrong else []
    words = [_forms(word) for word in content(wrong).split()]
    return held or [s for s in lately if words and _holds(normal(s.text), words)]


def _holds(text: str, words: Sequence[set[str]]) -> bool:
    """Whether a text holds a form of each word: what two words share is a beginning of both."""
    if not all(min(forms, key=len) in text for forms in words):
        return False
    plain = _plain(text)
    return all(forms & plain for forms in words)


def _plain(text: str) -> set[str]:
    """The words of a text, with and without an ending."""
    return {form for word in content(text).split() for form in _forms(word)}


def _forms(word: str) -> set[str]:
    """A word, and it without the endings it may have."""
    return {
        word,
        *(word.removesuffix(ending) for ending in ("s", "es", "d", "ed", "ing") if len(word) > len(ending) + 2),
    }


def inherit(sql: Connection, memory: Parsed, target: Said) -> State:
    """The state of a correction: the slot and the start of what it corrects, unless it says them itself."""
    state, correction = memory.state, memory.correction
    old = nodes.current(sql, target.node).state
    if correction is None or correction.takes_back:
        return state
    if state.attribute is None and old.attribute is not None and correction.right is not None:
        state = state._replace(
            subject=state.subject or old.subject,
            slot_subject=old.slot_subject,
            attribute=old.attribute,
            value=correction.right,
            value_norm=normal_value(correction.right),
            functional=old.functional,
        )
    if state.attribute == old.attribute and state.valid_basis not in ("stated", "occurred"):
        state = state._replace(
            valid_from=old.valid_from,
            valid_basis=old.valid_basis,
            stated_from=old.stated_from,
            stated_to=state.stated_to or old.stated_to,
            stated_grain=old.stated_grain,
        )
    return state


def correct(tx: Tx, entry: Entry, targets: list[Said]) -> None:
    """Retire the one memory that is meant; mark several as in conflict, for review."""
    alone = len(targets) == 1
    for target in targets:
        before = nodes.current(tx.sql, target.node).state
        if alone and before.status is not Status.CANONICAL:
            after = before._replace(corrected=1, status=Status.DEPRECATED)
        else:
            after = before._replace(conflict=1)
        apply(tx, entry, nodes.by_id(tx.sql, target.node), after)


def tie(
    tx: Tx,
    entry: Entry,
    src: nodes.NodeRow,
    dst: nodes.NodeRow,
    type: EdgeType,
    claim: Claim = Claim.INFERRED,
) -> None:
    """Set an edge that the engine itself asserts, unless one of its type stands there that was not merely inferred."""
    if type.value == "relates_to" and dst.uid < src.uid:
        src, dst = dst, src
    new = edges.NewEdge(src=src.id, dst=dst.id, type=type, weight=1.0, provenance=Provenance.SYSTEM, claim=claim)
    standing = edges.between(tx.sql, new)
    if standing is not None and standing.inferred:
        edges.retire(tx, entry, standing.id)
    if standing is None or standing.inferred:
        edges.insert(tx, entry, new)
