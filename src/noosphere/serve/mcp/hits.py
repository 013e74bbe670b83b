"""Hits as a model needs them: what, when, from whom, from which mind; no more than that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.model.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.minds.noosphere import Noosphere
    from noosphere.model.hit import Hit
    from noosphere.model.trace import Trace

SHOWN = ("id", "title", "text", "speaker", "role", "status", "source", "claim", "confidence", "conflict", "alternative",
         "tags", "stale_since", "withheld", "begins", "also",
         "overtaken_by")  # fmt: skip
HIT = {
    "type": "object",
    "properties": {
        **{name: {"type": "string"} for name in ("id", "mind", "text", "date", "role", "status", "source", "claim")},
        "score": {"type": "number"},
        "confidence": {"type": "number"},
        "evidence_count": {
            "type": "integer",
            "description": "How many reasons stand behind it; one where it is left out.",
        },
        "current": {"type": "boolean"},
        "ended": {"type": "string", "description": "Since when it is no longer true."},
        "unsure": {"type": "boolean", "description": "True where the match may be about something else."},
        "alternative": {"type": "boolean", "description": "True for what was not settled on."},
        "conflict": {"type": "boolean", "description": "True where something else that is known contradicts it."},
        "withheld": {"type": "string", "description": "Why a note stands in place of the text."},
        "also": {
            "type": "array",
            "items": {"type": "string"},
            "description": "The ids of memories that say the same.",
        },
        "stale_since": {"type": "string", "description": "It may have changed since then: verify it."},
        "begins": {"type": "string", "description": "It does not hold yet, but from then on."},
        "tags": {"type": "array", "items": {"type": "string"}},
        "overtaken_by": {"type": "string", "description": "A later memory that probably tells what became of it."},
    },
}
DEGRADED = {"type": "array", "items": {"type": "string"}, "description": "What could not do its work, and why."}


def shown(noosphere: Noosphere, hits: Iterable[Hit]) -> list[dict[str, Any]]:
    """Hits as JSON, each naming its mind by slug; what says nothing is left out."""
    found: list[dict[str, Any]] = []
    for hit in hits:
        date = hit.dates.happened or plain(hit.dates.said or hit.dates.valid_from)
        fields = {name: plain(value) for name in SHOWN if (value := getattr(hit, name)) not in (None, (), False)}
        if hit.evidence_count > 1:
            fields["evidence_count"] = hit.evidence_count
        if hit.p is not None and not hit.sure:
            fields["unsure"] = True
        ended = {"ended": plain(hit.dates.valid_to)} if hit.dates.valid_to else {}
        more = {"mind": noosphere.name_of(hit.mind), "date": date, "score": round(hit.score, 3), **ended}
        found.append({**fields, "current": hit.current, **more})
    return found


def degraded(trace: Trace) -> list[str]:
    """What could not do its work, in words."""
    return [f"{part.part}: {part.reason}; {part.instead}" for part in trace.degraded()]
