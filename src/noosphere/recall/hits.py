"""From ordered units to hits: ids as text, times as datetimes, lanes and terms as reasons."""

from __future__ import annotations

from functools import lru_cache
from math import log1p
from typing import TYPE_CHECKING, NamedTuple

from noosphere.clock import moment
from noosphere.ids import uid_text
from noosphere.model.hit import Dates, Hit, Lane, Said
from noosphere.model.query import NO_FILTERS, View
from noosphere.model.slot import asked_by
from noosphere.model.staleness import unit_stale_since
from noosphere.model.unit import Hidden, hidden
from noosphere.model.vocabulary import NodeClass
from noosphere.model.when import FOREVER, Grain, Span, show
from noosphere.recall.answered import question_of
from noosphere.recall.confidence import Evidence, coverage, discounted, is_sure, p
from noosphere.recall.excerpt import best_span
from noosphere.recall.legible import akin, legible_text
from noosphere.recall.weights import SHORT
from noosphere.store.words.spans import find_spans

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from noosphere.model.unit import Unit
    from noosphere.recall.gather import Lot
    from noosphere.recall.gathering import Gathering, Share
    from noosphere.recall.order import Placed
    from noosphere.recall.plan import Plan
    from noosphere.store.neighbours import Neighbour
    from noosphere.store.words.query import Term

PAST = frozenset({Hidden.OLD_TEXT, Hidden.ENDED, Hidden.STATUS})
BEFORE_ALL = -(2**61)  # an earlier start means "not known since when"


class _Match(NamedTuple):
    """What a hit tells of its match; see `Hit`."""

    span: tuple[int, int]
    score: float = 0.0
    p: float | None = None
    sure: bool = True
    before: Said | None = None
    after: Said | None = None
    lanes: tuple[Lane, ...] = ()
    terms: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


def make_hit(
    placed: Placed, plan: Plan, gathering: Gathering, *, mind: str, zone: tzinfo, also: tuple[str, ...] = ()
) -> Hit:
    """Make the hit of a unit in its place; `also` are those that say the same."""
    unit, pool = placed.unit, gathering.pool
    lanes, hint = _lanes(unit.frame, gathering.shares[pool.minds[placed.at]].lots)
    spans = find_spans(unit.text, plan.content)
    held = {term for _, _, term in spans}
    sureness = p(evidence(placed.at, held, plan, gathering), gathering.grade)
    sure = is_sure(sureness, gathering.grade) or _answers_what_is_sure(placed.at, plan, gathering)
    match = _Match(
        best_span(len(unit.text), spans, hint, SHORT),
        placed.score,
        sureness,
        sure,
        _said(pool.before[placed.at]),
        _said(pool.after[placed.at]),
        lanes,
        tuple(dict.fromkeys(plan.content[i].shown for i in sorted(held))),
        also,
    )
    return _hit(unit, match, plan.view, mind=mind, zone=zone)


def _answers_what_is_sure(at: int, plan: Plan, gathering: Gathering) -> bool:
    """Whether it answers a question that is a sure match, wherever that stands in the order."""
    asked = question_of(at, gathering.pool)
    if asked is None:
        return False
    held = {term for _, _, term in find_spans(gathering.pool.units[asked].text, plan.content)}
    return is_sure(p(evidence(asked, held, plan, gathering), gathering.grade), gathering.grade)


def listed_hit(unit: Unit, view: View, *, mind: str, zone: tzinfo) -> Hit:
    """Make the hit of a unit that is shown for what it is, not for matching a question."""
    return _hit(unit, _Match((0, min(len(unit.text), SHORT))), view, mind=mind, zone=zone)


def _hit(unit: Unit, match: _Match, view: View, *, mind: str, zone: tzinfo) -> Hit:
    turn = unit.node_class is NodeClass.CONVERSATION
    begins = moment(unit.holds_from) if unit.attribute is not None and unit.holds_from > view.at else None
    return Hit(
        id=uid_text(unit.id),
        node=uid_text(unit.node_uid),
        frame=uid_text(unit.frame_uid),
        mind=mind,
        conversation=unit.conversation_key if turn else None,
        session=uid_text(unit.session_uid),
        turn_key=unit.turn_key,
        speaker=unit.speaker,
        speaker_role=unit.speaker_role,
        said_at=None if unit.said_at is None else moment(unit.said_at),
        title=unit.title,
        text=unit.text,
        span=match.span,
        score=match.score,
        p=match.p,
        sure=match.sure,
        before=match.before,
        after=match.after,
        lanes=match.lanes,
        terms=match.terms,
        dates=_dates(unit, zone),
        role=unit.role,
        kind=unit.kind,
        status=unit.status,
        importance=unit.importance,
        volatility=unit.volatility,
        source=unit.source,
        claim=unit.claim,
        confidence=unit.confidence,
        tags=unit.tags,
        subject=unit.subject,
        attribute=unit.attribute,
        value=unit.value,
        evidence_count=unit.evidence_count,
        alternative=unit.alternative,
        current=hidden(unit, View(view.at), NO_FILTERS) not in PAST and begins is None,
        conflict=unit.conflict,
        secret=unit.secret,
        suspect=unit.suspect,
        stale_since=None if (since := unit_stale_since(unit, view.now)) is None else moment(since),
        begins=begins,
        also=match.also,
    )


def _said(neighbour: Neighbour | None) -> Said | None:
    return None if neighbour is None else Said(uid_text(neighbour.uid), neighbour.speaker, neighbour.text)


def evidence(at: int, held: set[int], plan: Plan, gathering: Gathering) -> Evidence:
    """What is absolute about a unit's match; who speaks, its title and what asks for its slot count as words of it."""
    pool = gathering.pool
    unit, share, cosine, met = pool.units[at], gathering.shares[pool.minds[at]], pool.cosine[at], pool.interaction[at]
    rarity = share.rarity
    around = _terms_of(f"{unit.speaker or ''} {unit.title or ''} {_asked(unit)}", plan.content)
    exact = any(plan.content[term].exact for term in held)
    covered, words, unknown = coverage(held | around, rarity), sum(rarity[n] > 0 for n in held | around), share.unknown
    if pool.foreign[at]:  # no word can match, so meaning speaks for them
        covered, unknown = max(covered, cosine or 0.0), 0.0
        words = max(words, round(covered * sum(value > 0 for value in rarity)))
    elif not held | around and (read := _read(unit, share, plan)) < 1:
        cosine, met = cosine and cosine * read, met and met * read
    density = discounted(covered, len(unit.text))
    return Evidence(covered, density, log1p(words), unknown, cosine, met, exact=exact)


def _read(unit: Unit, share: Share, plan: Plan) -> float:
    """How much a unit's nearness by meaning says, 0 to 1, when no word of the question is in it."""
    if share.embedder is None:
        return 1.0
    read = share.legible and min(share.legible, legible_text(share.embedder, unit.text))
    return 1.0 if read < 1 and akin(plan.content, unit.text) else read


def _asked(unit: Unit) -> str:
    """The words in which one asks for the slot that a memory fills: "who is my manager?" of "I report to Dana"."""
    return "" if unit.attribute is None else asked_by(unit.subject or "", unit.attribute)


@lru_cache(maxsize=256)
def _terms_of(name: str, terms: tuple[Term, ...]) -> frozenset[int]:
    """The terms that a name holds; the hits of a question share few names."""
    return frozenset(term for _, _, term in find_spans(name, terms))


def _lanes(frame: int, lots: Sequence[Lot]) -> tuple[tuple[Lane, ...], tuple[int, int] | None]:
    """Each lane's word for a unit, and where the meaning lane saw the match."""
    found: list[Lane] = []
    hint: tuple[int, int] | None = None
    for lot in lots:
        if (rank := lot.ranks.get(frame)) is not None:
            candidate = lot.candidates[rank - 1]
            found.append(Lane(lot.lane, rank, candidate.score))
            hint = hint or candidate.span
    return tuple(sorted(found, key=lambda lane: (lane.rank, lane.name))), hint


def _dates(unit: Unit, zone: tzinfo) -> Dates:
    happened = None
    if unit.occurred_from is not None and unit.occurred_to is not None:
        happened = show(Span(unit.occurred_from, unit.occurred_to, Grain(unit.occurred_grain or Grain.MOMENT)), zone)
    start = unit.holds_from if unit.holds_from > BEFORE_ALL else unit.recorded_at
    return Dates(
        said=None if unit.said_at is None else moment(unit.said_at),
        happened=happened,
        valid_from=moment(start),
        valid_to=None if unit.holds_to == FOREVER else moment(unit.holds_to),
        recorded=moment(unit.recorded_at),
        changed=moment(unit.changed_at),
    )
