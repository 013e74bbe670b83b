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
from noosphere.write.cognify.capture import capture
from noosphere.write.cognify.gaps import gaps
from noosphere.write.cognify.model_pass import Pointed, pointed
from noosphere.write.cognify.reading import read_exchange
from noosphere.write.graph.pointed import tie_pointed
from noosphere.write.practice.hearing import Heard, hear
from noosphere.write.record import read_about, record
from noosphere.write.remember import remember

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from noosphere.graph.said import Said
    from noosphere.model.exchange import Exchange
    from noosphere.model.outcome import Recorded, Remembered, Stored
    from noosphere.providers.llm.port import LLM
    from noosphere.store.mind_file import MindFile
    from noosphere.write.cognify.capture import Capture, Side
    from noosphere.write.cognify.cues import Target

SIDES: tuple[Side, ...] = ("user", "assistant")
SOURCES = {"user": Source.USER_STATED, "assistant": Source.AGENT_INFERRED}


def learn(
    mind: MindFile,
    given: Exchange | Mapping[str, Any],
    personal: MindFile | None = None,
    llm: LLM | None = None,
) -> Cognified | Refused:
    """Record an exchange and remember what is worth it; told again, an exchange adds evidence and nothing else.

    What belongs to the personal mind is remembered in `personal`, when that is another mind than this one. A model,
    when one is given, may point at sentences that the rules left.

    Raises:
        InvalidInput: the exchange has the wrong form; nothing was written.
    """
    exchange = read_exchange(given)
    turns = _turns(exchange)
    before = {"user": _before(mind, exchange), "assistant": exchange.user}
    recorded = record(mind, exchange.conversation or LIVE, turns, read_about(session=exchange.session))
    if isinstance(recorded, Refused):
        return recorded
    there = _frames(mind, recorded, turns)
    left = [Left(text=next(t.text for t in turns if t.key == key), why=why) for key, why in recorded.refused]
    kept: list[tuple[Side, Capture, str]] = []
    told: dict[str, Said] = {}
    for side in SIDES:
        if (frame := there.get(_key(exchange, side))) is not None:
            found, more = _captured(mind, _said(exchange, side), side, before[side], llm)
            told |= more.said
            left += [] if more.why is None else [Left(text="", why=f"the model's pass: {more.why}")]
            left += [Left(text=one.text, why=one.why) for one in found if one.why is not None]
            kept.extend((side, one, frame) for one in found if one.why is None)
    if (own := there.get(_key(exchange, "user"))) is not None:
        hear(mind, own, _signals(exchange, kept))
    learnt: list[Learnt] = []
    broken: list[str] = []
    outcomes = _remembered(mind, personal or mind, exchange, kept, broken)
    for (side, one, frame), outcome in zip(kept, outcomes, strict=True):
        if isinstance(outcome, Refused):
            left.append(Left(text=one.text, why=outcome.message))
            continue
        holder = (personal or mind) if _target(exchange, one) == "personal" else mind
        learnt.append(_learnt(exchange, side, one, frame, outcome, holder.mind))
        if one.text in told and not isinstance(outcome, Duplicate):
            tie_pointed(holder, {outcome.id: told[one.text]}, broken)
    left += [Left(text="", why=f"the ontology: {rule}") for rule in broken]
    return Cognified(
        conversation=recorded.conversation,
        turns=tuple(there.values()),
        learnt=tuple(learnt),
        left=tuple(left),
        journal=learnt[-1].journal if learnt else recorded.journal,
    )


def _captured(mind: MindFile, said: str, side: Side, before: str, llm: LLM | None) -> tuple[list[Capture], Pointed]:
    """The sentences of a side that give a cue or that a model points at, and what else it says."""
    found = capture(said, side, before)
    if llm is None:
        return found, Pointed()
    with mind.read() as sql:
        rules = rules_of(sql)
    more = pointed(mind, llm, said, SOURCES[side], found, rules)
    return [*found, *more.captures], more


def _remembered(
    mind: MindFile,
    personal: MindFile,
    exchange: Exchange,
    kept: Sequence[tuple[Side, Capture, str]],
    broken: list[str],
) -> list[Remembered]:
    """Remember each where it belongs; the evidence names the mind that holds the turn."""
    drafts = [_draft(exchange, *one) for one in kept]
    if personal is mind:
        return remember(mind, drafts, broken=broken)
    own = [n for n, (_, one, _) in enumerate(kept) if _target(exchange, one) == "personal"]
    others = [n for n in range(len(kept)) if n not in own]
    told = [replace(drafts[n], evidence={"mind": mind.mind, "frame": kept[n][2]}, session=None) for n in own]
    outcomes = [
        *remember(personal, told, broken=broken),
        *remember(mind, [drafts[n] for n in others], broken=broken),
    ]
    return [outcome for _, outcome in sorted(zip([*own, *others], outcomes, strict=True), key=lambda pair: pair[0])]


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
        tags=f"for-{_target(exchange, one)}",
        session=exchange.session,
        said_at=exchange.said_at,
        speaker=None if side == "user" else exchange.assistant_name,
    )
