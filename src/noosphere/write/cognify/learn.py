"""learn: record the turns of an exchange, and remember what was said in them that is worth keeping."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from noosphere.errors import NotFound
from noosphere.graph.rules import rules_of
from noosphere.ids import parse_uid, uid_text
from noosphere.model.draft import Draft, Turn
from noosphere.model.exchange import LIVE, Cognified, Learnt, Left
from noosphere.model.outcome import Duplicate, Refused, Superseded
from noosphere.model.signal import SignalKind
from noosphere.model.vocabulary import Source, SpeakerRole
from noosphere.store import frames, nodes, path
from noosphere.store.hashing import content_hash
from noosphere.write.candidates import propose
from noosphere.write.cognify.capture import Capture, Side, capture
from noosphere.write.cognify.gaps import gaps
from noosphere.write.cognify.model_pass import Pointed, pointed
from noosphere.write.cognify.reading import read_exchange
from noosphere.write.graph.pointed import tie_pointed
from noosphere.write.practice.hearing import Heard, hear
from noosphere.write.record import read_about, record
from noosphere.write.remember import remember

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from noosphere.model.exchange import Exchange
    from noosphere.model.outcome import Recorded, Remembered, Stored
    from noosphere.providers.llm.port import LLM
    from noosphere.store.mind_file import MindFile
    from noosphere.write.cognify.cues import Target

SIDES: tuple[Side, ...] = ("user", "assistant")
Kept = tuple[Side, Capture, str]  # a sentence, whose it is, and the frame of its turn
Read = dict[Side, tuple[list[Capture], Pointed]]  # what each side said that gives a cue, and what a model says of it
SOURCES = {"user": Source.USER_STATED, "assistant": Source.AGENT_INFERRED}


def learn(
    mind: MindFile,
    given: Exchange | Mapping[str, Any],
    personal: MindFile | None = None,
    llm: LLM | None = None,
    fast: LLM | None = None,
) -> Cognified | Refused:
    """Record an exchange and remember what is worth it; told again, an exchange adds evidence and nothing else.

    What belongs to the personal mind is remembered in `personal`, when that is another mind than this one. A model,
    when one is given, may point at sentences that the rules left, of those that a `fast` one chose if there is one.
    What is read is read before anything is written; what one mind keeps of an exchange is one transaction.

    Raises:
        InvalidInput: the exchange has the wrong form; nothing was written.
    """
    exchange = read_exchange(given)
    turns = _turns(exchange)
    read = _read(mind, exchange, llm, fast)
    broken: list[str] = []
    with mind.together(rows=len(turns), channel=mind.author.channel):
        recorded = record(mind, exchange.conversation or LIVE, turns, read_about(session=exchange.session))
        if isinstance(recorded, Refused):
            return recorded
        there = _frames(mind, recorded, turns)
        kept = _kept(exchange, read, there)
        if (own := there.get(_key(exchange, "user"))) is not None:
            hear(mind, own, _signals(exchange, kept))
        here = [one for one in kept if personal is None or _target(exchange, one[1]) != "personal"]
        outcomes = dict(zip(map(id, here), _remembered(mind, mind, exchange, here, broken), strict=True))
    if personal is not None:
        own_kept = [one for one in kept if id(one) not in outcomes]
        outcomes |= zip(map(id, own_kept), _remembered(mind, personal, exchange, own_kept, broken), strict=True)
    left = [Left(text=next(t.text for t in turns if t.key == key), why=why) for key, why in recorded.refused]
    left += _left_out(exchange, read, there)
    learnt, refused = _learnt_of(
        mind, personal or mind, exchange, read, [(one, outcomes[id(one)]) for one in kept], broken
    )
    left += [*refused, *(Left(text="", why=f"the ontology: {rule}") for rule in broken)]
    return Cognified(
        conversation=recorded.conversation,
        turns=tuple(there.values()),
        learnt=tuple(learnt),
        left=tuple(left),
        journal=learnt[-1].journal if learnt else recorded.journal,
    )


def _read(mind: MindFile, exchange: Exchange, llm: LLM | None, fast: LLM | None) -> Read:
    """What is found in each side, by rules and by a model if there is one."""
    before = {"user": _before(mind, exchange), "assistant": exchange.user}
    return {side: _captured(mind, _said(exchange, side), side, before[side], llm, fast) for side in SIDES}


def _learnt_of(
    mind: MindFile,
    personal: MindFile,
    exchange: Exchange,
    read: Read,
    remembered: list[tuple[Kept, Remembered]],
    broken: list[str],
) -> tuple[list[Learnt], list[Left]]:
    """What became of the sentences that were worth it; what a model says of the new ones is kept with them."""
    learnt: list[Learnt] = []
    left: list[Left] = []
    for (side, said, frame), outcome in remembered:
        if isinstance(outcome, Refused):
            left.append(Left(text=said.text, why=outcome.message))
            continue
        holder = personal if _target(exchange, said) == "personal" else mind
        learnt.append(_learnt(exchange, side, said, frame, outcome, holder.mind))
        if not isinstance(outcome, Duplicate):
            _tie(mind, holder, outcome.id, said.text, read[side][1], broken)
    return learnt, left


def _captured(
    mind: MindFile, said: str, side: Side, before: str, llm: LLM | None, fast: LLM | None
) -> tuple[list[Capture], Pointed]:
    """The sentences of a side that give a cue or that a model points at, and what else it says."""
    found = capture(said, side, before)
    if llm is None:
        return found, Pointed()
    with mind.read() as sql:
        rules = rules_of(sql)
    more = pointed(mind, llm, said, SOURCES[side], found, rules, fast)
    return [*map(more.described, found), *more.captures], more


def _kept(exchange: Exchange, read: Read, there: Mapping[str, str]) -> list[Kept]:
    """The sentences that are worth it, of the sides whose turn is there."""
    return [
        (side, one, frame)
        for side, (found, _) in read.items()
        if (frame := there.get(_key(exchange, side))) is not None
        for one in found
        if one.why is None
    ]


def _left_out(exchange: Exchange, read: Read, there: Mapping[str, str]) -> list[Left]:
    """What is not worth it, and why a model said nothing, of the sides whose turn is there."""
    left: list[Left] = []
    for side, (found, more) in read.items():
        if there.get(_key(exchange, side)) is not None:
            left += [] if more.why is None else [Left(text="", why=f"the model's pass: {more.why}")]
            left += [Left(text=one.text, why=one.why) for one in found if one.why is not None]
    return left


def _remembered(
    mind: MindFile,
    holder: MindFile,
    exchange: Exchange,
    kept: Sequence[Kept],
    broken: list[str],
) -> list[Remembered]:
    """Remember sentences in a mind; where that is not the one that holds the turns, the evidence names that one."""
    drafts = [_draft(exchange, *one) for one in kept]
    if holder is not mind:
        told = zip(drafts, kept, strict=True)
        drafts = [replace(draft, evidence={"mind": mind.mind, "frame": one[2]}, session=None) for draft, one in told]
    return remember(holder, drafts, broken=broken)


def _tie(mind: MindFile, holder: MindFile, id: str, text: str, more: Pointed, broken: list[str]) -> None:
    """Keep what a model says of a sentence that is new: its names, and what it contradicts in that mind."""
    if (names := more.said.get(text)) is not None:
        tie_pointed(holder, {id: names}, broken)
    if holder is mind and (against := more.against.get(text)):
        propose(mind, id, against)


def _learnt(
    exchange: Exchange, side: Side, one: Capture, frame: str, outcome: Stored | Superseded | Duplicate, mind: str
) -> Learnt:
    return Learnt(
        text=one.text,
        role=one.role,
        target=_target(exchange, one),
        mind=mind,
        source=SOURCES[side],
        speaker=_speaker(exchange, side),
        cue=one.cue,
        evidence=frame,
        id=outcome.id,
        outcome=type(outcome).__name__.lower(),
        journal=outcome.journal,
        old=outcome.old if isinstance(outcome, Superseded) else (),
    )


def _signals(exchange: Exchange, kept: Sequence[tuple[Side, Capture, str]]) -> list[Heard]:
    """What the user corrected, and what they said cannot be done."""
    wrong = [one.text for side, one, _ in kept if side == "user" and one.role == "correction"]
    found = [Heard(SignalKind.CORRECTION, text, " ".join(re.findall(r"\w+", text.casefold()))) for text in wrong]
    return found + [Heard(SignalKind.CAPABILITY_GAP, gap.text, gap.key) for gap in gaps(exchange.user)]


def _before(mind: MindFile, exchange: Exchange) -> str:
    """What the assistant said last before this exchange."""
    if exchange.previous is not None or exchange.conversation is None:
        return exchange.previous or ""
    with mind.read() as sql:
        node = nodes.by_key(sql, exchange.conversation)
        leaf = None if node is None else path.leaf_of(sql, node.id)
        last = None if leaf is None else frames.by_id(sql, leaf)
    return (last.text or "") if last is not None and last.speaker_role == SpeakerRole.ASSISTANT else ""


def _target(exchange: Exchange, one: Capture) -> Target:
    return one.target if exchange.workspace else "personal"


def _turns(exchange: Exchange) -> list[Turn]:
    said = [("user", exchange.user)]
    said += [(f"tool{number}", text) for number, text in enumerate(exchange.tools)]
    said += [("assistant", exchange.assistant)]
    return [
        Turn(
            key=_key(exchange, side),
            speaker="tool" if side.startswith("tool") else _speaker(exchange, side),
            text=text,
            at=exchange.said_at,
            speaker_role=SpeakerRole.TOOL if side.startswith("tool") else side,
        )
        for side, text in said
        if text.strip()
    ]


def _key(exchange: Exchange, side: str) -> str:
    recorded = {"user": exchange.user_key, "assistant": exchange.assistant_key}.get(side)
    if recorded is not None:
        return recorded
    own = exchange.key or content_hash(f"{exchange.user}\0{exchange.assistant}\0{exchange.said_at}").hex()[:32]
    return f"{own}:{side}"


def _said(exchange: Exchange, side: Side) -> str:
    return exchange.user if side == "user" else exchange.assistant


def _speaker(exchange: Exchange, side: str) -> str:
    return exchange.user_name if side == "user" else exchange.assistant_name


def _frames(mind: MindFile, recorded: Recorded, turns: Sequence[Turn]) -> dict[str, str]:
    """The frames of the turns that stand in the conversation, by key."""
    with mind.read() as sql:
        node = nodes.by_uid(sql, parse_uid(recorded.conversation))
        if node is None:
            raise NotFound("conversation", recorded.conversation, "It was written just now")
        found = {turn.key: frames.turn(sql, node.id, turn.key) for turn in turns}
    return {key: uid_text(rows[0].uid) for key, rows in found.items() if rows}


def _draft(exchange: Exchange, side: Side, one: Capture, frame: str) -> Draft:
    return Draft(
        text=one.text,
        title=one.about,
        role=one.role,
        importance=one.importance,
        source=SOURCES[side],
        evidence=frame,
        kind=one.kind,
        volatility=one.volatility,
        status=one.status,
        confidence=one.confidence,
        tags=(f"for-{_target(exchange, one)}", *one.tags),
        session=exchange.session,
        said_at=exchange.said_at,
        speaker=None if side == "user" else exchange.assistant_name,
    )
