"""From a caller's draft to a checked memory: clean text, words of the vocabulary, times, slot, evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from noosphere.errors import InvalidInput
from noosphere.ids import looks_like_uid, parse_uid
from noosphere.model.argument import read_flag, read_key, read_line, read_many, read_share, read_text
from noosphere.model.capture import read_prefixes
from noosphere.model.outcome import Reason as Why
from noosphere.model.outcome import Refused
from noosphere.model.slot import Slot, normal, normal_value, read_slot
from noosphere.model.text import clean, is_blank
from noosphere.model.vocabulary import (
    CLAIM_OF_SOURCE,
    EPISODIC_ROLES,
    Claim,
    Importance,
    Kind,
    Source,
    Status,
    Volatility,
    role_name,
    tag_names,
    word,
)
from noosphere.model.when import Span, day_of, read_time
from noosphere.store.evidence import Reason
from noosphere.store.hashing import content_hash
from noosphere.store.nodes import State

if TYPE_CHECKING:
    from datetime import tzinfo

    from noosphere.graph.facts import Correction, Ending
    from noosphere.model.draft import Draft

MAX_TEXT = 8_000_000  # characters: larger than any note, small enough to index in one transaction
MAX_NESTED = 64  # lists and dicts in each other: what is nested deeper no parser at a door reads back
BEGINNING = -(2**62)  # the start of what is only known to have ended


class Parsed(NamedTuple):
    """A checked memory. `state` lacks only its head and what the write itself decides (recorded time)."""

    text: str
    repairs: tuple[str, ...]
    state: State
    tags: tuple[str, ...]
    reasons: tuple[Reason, ...]
    session: str | None
    said_at: int | None
    slot: Slot | None
    given: tuple[str, ...]  # fields the caller set, for what a duplicate ignores
    drawn: tuple[Parsed, ...] = ()  # facts that its sentences state
    correction: Correction | None = None  # that an earlier statement was wrong
    endings: tuple[Ending, ...] = ()  # what it says is over

    def key(self, zone: tzinfo) -> tuple[object, ...]:
        """What makes two memories with the same fold the same memory."""
        return dedup_key(self.state, zone)


def dedup_key(state: State, zone: tzinfo) -> tuple[object, ...]:
    """(role, subject, attribute, occurred day, stated spell); the fold hash is looked up apart.

    A spell that was stated belongs to the key: "X from 2020" and "X from 2024" are two assertions, or the
    order in which they arrive would change the timeline.
    """
    stated = state.valid_from if state.valid_basis == "stated" else None
    day = None if state.occurred_from is None else day_of(state.occurred_from, zone)
    return (state.role, normal(state.subject or ""), state.attribute, day, stated, state.stated_to)


def parse(draft: Draft, zone: tzinfo, now: int) -> Parsed | Refused:
    """Check a draft; `now` tells what lies in the future.

    Raises:
        InvalidInput: an argument has the wrong form.
    """
    captured, repairs = _text(draft.text)
    text = captured.text.strip()
    if is_blank(text):
        return Refused(reason=Why.EMPTY, message="there is no text to remember; pass some")
    if len(text) > MAX_TEXT:
        return Refused(
            reason=Why.TOO_LARGE, message=f"{len(text)} characters are more than {MAX_TEXT}; store it in parts"
        )
    subject, slot = read_slot(draft.slot, draft.subject if draft.subject is not None else captured.subject)
    occurred = read_time(draft.occurred if draft.occurred is not None else captured.day, "occurred", zone)
    said = read_time(draft.said_at, "said_at", zone)
    times = _times(draft, occurred, said, slotted=slot is not None, zone=zone, now=now)
    state = _state(draft, text, role_name(draft.role or captured.role), subject, slot, times)
    return Parsed(
        text=text,
        repairs=repairs,
        state=state,
        tags=tag_names(draft.tags),
        reasons=read_evidence(draft.evidence, captured.source_id),
        session=read_key(draft.session, "session") or captured.session,
        said_at=None if said is None else said.start,
        slot=slot,
        given=tuple(n for n in _DESCRIBING if getattr(draft, n) is not None),
    )


_DESCRIBING = (
    "kind", "importance", "status", "volatility", "source", "claim", "confidence", "title", "metadata", "trace_id",
    "said_at", "value", "functional",
)  # fmt: skip


def _text(text: object) -> tuple[Any, tuple[str, ...]]:
    if not isinstance(text, str):
        raise InvalidInput("text", f"{text!r:.80} is not text", "Pass a string")
    cleaned = clean(text)
    return read_prefixes(cleaned.text), cleaned.repairs


def _state(draft: Draft, text: str, role: str, subject: str | None, slot: Slot | None, times: dict[str, Any]) -> State:
    source = word(Source, draft.source, "source") or Source.USER_STATED
    fold_hash = content_hash(text)
    value, functional = read_line(draft.value, "value"), read_flag(draft.functional, "functional")
    if slot is None and (value is not None or functional is not None):
        raise InvalidInput("value", "a value belongs to a slot", 'Name the slot too: slot="subject.attribute"')
    return State(
        fold_hash=fold_hash,
        status=word(Status, draft.status, "status") or Status.ACTIVE,
        role=role,
        kind=word(Kind, draft.kind, "kind") or (Kind.EPISODIC if role in EPISODIC_ROLES else Kind.SEMANTIC),
        volatility=word(Volatility, draft.volatility, "volatility") or Volatility.DURABLE,
        importance=word(Importance, draft.importance, "importance") or Importance.NORMAL,
        source=source,
        claim=word(Claim, draft.claim, "claim") or CLAIM_OF_SOURCE.get(source, Claim.UNKNOWN),
        confidence=read_share(draft.confidence, "confidence"),
        subject=subject,
        slot_subject=slot.key if slot else None,
        attribute=slot.attribute if slot else None,
        value=value,
        value_norm=(normal_value(value) if value else fold_hash.hex()) if slot else None,
        functional=None if functional is None else int(functional),
        title=read_line(draft.title, "title"),
        metadata=read_metadata(draft.metadata),
        trace_id=read_line(draft.trace_id, "trace_id"),
        **times,
    )


def _times(
    draft: Draft, occurred: Span | None, said: Span | None, *, slotted: bool, zone: tzinfo, now: int
) -> dict[str, Any]:
    """The stated and occurred times of a state, and where its validity starts.

    It starts when stated, else when it occurred, else when said, else when recorded. Something that will
    only occur later is already true as a plan, so there the occurred time counts only for a slot's value.
    """
    start, end = read_time(draft.valid_from, "valid_from", zone), read_time(draft.valid_to, "valid_to", zone)
    basis, valid_from = "recorded", None
    if start is not None:
        basis, valid_from = "stated", start.start
    elif occurred is not None and (slotted or occurred.start <= (said.start if said else now)):
        basis, valid_from = "occurred", occurred.start
    elif said is not None:
        basis, valid_from = "said", said.start
    if end is not None and start is not None and end.start <= start.start:
        raise InvalidInput("valid_to", "lies before valid_from", "Give an end later than the start")
    if end is not None and start is None and end.start <= (now if valid_from is None else valid_from):
        basis, valid_from = "stated", BEGINNING
    times: dict[str, Any] = {"valid_from": valid_from, "valid_basis": basis}
    if start is not None:
        times |= {"stated_from": start.start, "stated_grain": start.grain}
    if end is not None:
        times["stated_to"] = end.start
    if occurred is not None:
        times |= {
            "occurred_from": occurred.start,
            "occurred_to": occurred.end,
            "occurred_grain": occurred.grain,
        }
    return times


def read_metadata(value: Mapping[str, Any] | None, field: str = "metadata") -> str | None:
    """Write metadata, or the properties of an entity, as JSON; it is kept, never indexed."""
    if value is None:
        return None
    try:
        written = json.dumps(dict(value), ensure_ascii=False, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise InvalidInput(field, "is not plain JSON", "Use texts, numbers, lists and dicts only") from None
    if _depth(value) > MAX_NESTED:
        raise InvalidInput(field, "is nested too deeply", f"Nest at most {MAX_NESTED} lists and dicts in each other")
    return clean(written).text


def _depth(value: Any) -> int:
    """How many lists and dicts stand in each other, at most."""
    depth, level = 0, [value]
    while level := [one for one in level if isinstance(one, (Mapping, list, tuple))]:
        depth += 1
        level = [
            inner
            for one in cast("list[Mapping[Any, Any] | list[Any] | tuple[Any, ...]]", level)
            for inner in (one.values() if isinstance(one, Mapping) else one)
        ]
    return depth


def read_evidence(value: Any, source_id: str | None = None) -> tuple[Reason, ...]:
    """Read evidence: a frame id, a URI, a mapping {frame, mind, source_id, uri}, or a list of these."""
    if value is None:
        return (Reason(source_id=source_id),) if source_id else ()
    one = isinstance(value, str) or hasattr(value, "keys")
    return tuple(_reason(item) for item in ([value] if one else read_many(value, "evidence")))


def _reason(item: Any) -> Reason:
    if isinstance(item, str):
        if looks_like_uid(item):
            return Reason(frame=parse_uid(item, "evidence"))
        named = read_key(item, "evidence")
        return Reason(uri=named) if ":" in item else Reason(source_id=named)
    if hasattr(item, "keys"):
        known = {"frame", "mind", "source_id", "uri"}
        if not item or set(item) - known:
            raise InvalidInput(
                "evidence", f"{sorted(item)!r:.80} are not its fields", f"Use {', '.join(sorted(known))}"
            )
        return Reason(
            frame=parse_uid(item["frame"], "evidence.frame") if item.get("frame") else None,
            mind=parse_uid(item["mind"], "evidence.mind") if item.get("mind") else None,
            source_id=read_text(item.get("source_id"), "evidence.source_id"),
            uri=read_text(item.get("uri"), "evidence.uri"),
        )
    raise InvalidInput("evidence", f"{item!r:.80} is not evidence", "Give a frame id, a URI, or {frame, mind}")
