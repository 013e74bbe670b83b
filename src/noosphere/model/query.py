"""A question as the pipeline sees it: what to show, as of when, and which filters hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from noosphere.errors import InvalidInput, shown
from noosphere.model.argument import read_key
from noosphere.model.vocabulary import (
    Claim,
    Importance,
    Kind,
    NodeClass,
    Source,
    Status,
    Volatility,
    role_name,
    tag_names,
    texts,
    words,
)
from noosphere.model.when import Span, read_time
from noosphere.records import dataclass

if TYPE_CHECKING:
    from datetime import tzinfo


@dataclass(frozen=True, slots=True)
class View:
    """From where a question looks: the present, a past truth, or a past belief.

    Attributes:
        now: the reader's present.
        as_of: what is believed now to have been true then.
        known_at: what was believed then.
        include_past: also what is no longer current.
        ahead: whether it asks for what is to come, so that a value is shown that waits for its start.
        earlier: whether `now` lies before the mind's own present, so that what was current then may have ended.
    """

    now: int
    as_of: int | None = None
    known_at: int | None = None
    include_past: bool = False
    ahead: bool = False
    earlier: bool = False

    @property
    def looks_back(self) -> bool:
        """Whether the past indexes are needed."""
        return self.include_past or self.earlier or self.as_of is not None or self.known_at is not None

    @property
    def at(self) -> int:
        """The moment at which validity is tested."""
        if self.as_of is not None:
            return self.as_of
        return self.now if self.known_at is None else min(self.now, self.known_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a unit must be to be shown; an empty field asks nothing. Tags must all be there."""

    tags: tuple[str, ...] = ()
    kinds: frozenset[Kind] = frozenset()
    statuses: frozenset[Status] = frozenset()
    volatilities: frozenset[Volatility] = frozenset()
    classes: frozenset[NodeClass] = frozenset()
    roles: frozenset[str] = frozenset()
    importances: frozenset[Importance] = frozenset()
    sources: frozenset[Source] = frozenset()
    claims: frozenset[Claim] = frozenset()
    speakers: frozenset[str] = frozenset()
    participants: frozenset[str] = frozenset()
    conversation: str | None = None
    session: str | None = None
    subject: str | None = None
    since: Span | None = None
    until: Span | None = None

    @property
    def ask_nothing(self) -> bool:
        """Whether every unit passes."""
        return self is NO_FILTERS or self == NO_FILTERS


NO_FILTERS = Filters()
LANES = ("keyword", "semantic", "window", "hops")  # the sources of candidates
_NAMES = {
    "tag": "tags",
    "kind": "kinds",
    "status": "statuses",
    "volatility": "volatilities",
    "class": "classes",
    "role": "roles",
    "importance": "importances",
    "source": "sources",
    "claim": "claims",
    "speaker": "speakers",
    "participant": "participants",
}


def read_filters(given: Filters | Mapping[str, Any] | None, zone: tzinfo) -> Filters:
    """Read filters from a mapping with singular or plural names.

    Raises:
        InvalidInput: an unknown filter or a value outside its vocabulary.
    """
    if given is None:
        return NO_FILTERS
    if isinstance(given, Filters):
        return given
    if not isinstance(given, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]  (callers are not all typed)
        raise InvalidInput("filters", f"{shown(given)} is not a mapping", 'Pass {"tag": "work"} or Filters(...)')
    known = [f.name for f in fields(Filters)]
    asked: dict[str, Any] = {}
    for name, value in given.items():
        field = _NAMES.get(name, name)
        if field not in known:
            raise InvalidInput.choice("filters", name, [*_NAMES, *known])
        if value is not None:
            asked[field] = value
    since, until = _time(asked.get("since"), "since", zone), _time(asked.get("until"), "until", zone)
    if since is not None and until is not None and until.end <= since.start:
        raise InvalidInput("until", "lies before since", "Give an end later than the start")
    return Filters(
        tags=tag_names(asked.get("tags")),
        kinds=words(Kind, asked.get("kinds"), "kind"),
        statuses=words(Status, asked.get("statuses"), "status"),
        volatilities=words(Volatility, asked.get("volatilities"), "volatility"),
        classes=words(NodeClass, asked.get("classes"), "class"),
        roles=frozenset(role_name(r) for r in texts(asked.get("roles"), "role")),
        importances=words(Importance, asked.get("importances"), "importance"),
        sources=words(Source, asked.get("sources"), "source"),
        claims=words(Claim, asked.get("claims"), "claim"),
        speakers=_folded(asked.get("speakers"), "speaker"),
        participants=_folded(asked.get("participants"), "participant"),
        conversation=read_key(asked.get("conversation"), "conversation"),
        session=read_key(asked.get("session"), "session"),
        subject=read_key(asked.get("subject"), "subject"),
        since=since,
        until=until,
    )


def _folded(values: object, field: str) -> frozenset[str]:
    return frozenset(v.casefold() for v in texts(values, field))


def _time(value: Any, field: str, zone: tzinfo) -> Span | None:
    return value if isinstance(value, Span) else read_time(value, field, zone)
