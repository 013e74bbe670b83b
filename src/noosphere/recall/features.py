"""What speaks for a unit of the pool: standard scores of what the lanes measured, and who said what when.

Who is speaking decides what counts: between people, the speaker the question names and answers rather than
questions; between a user and an assistant, the user's own words, unless the question is about the assistant's.
A feature is 0 for units it does not speak about, so that one set of weights serves both in one pool.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import log, sqrt
from typing import TYPE_CHECKING

from noosphere.clock import moment
from noosphere.model.vocabulary import NodeClass
from noosphere.recall.answer_kinds import among_people, names, told
from noosphere.recall.asking import asking, asks
from noosphere.recall.cues import Heard, says
from noosphere.recall.relevance import column
from noosphere.store.words.spans import matched_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from datetime import tzinfo

    from noosphere.model.unit import Unit
    from noosphere.model.when.naming import Period
    from noosphere.recall.cues import CueName
    from noosphere.recall.plan import Plan
    from noosphere.recall.pool import Pool

Column = list[float]
WORD, DIGIT = re.compile(r"\w+"), re.compile(r"\d")
SMALL = 50  # units: a pool of one lane, as large as those that the weights were fitted on
HIGH = 4.0  # standard deviations, in a small pool
TYPED_ID, TYPED_WORD = 0.7, 0.2  # of an id: what is known in two spellings comes first as it was typed; by judgement
OPENING = 600  # characters: a standing instruction comes early in a turn, or not at all


def features(plan: Plan, pool: Pool, zone: tzinfo, wanted: Collection[str] | None = None) -> dict[str, Column]:
    """The wanted features of every unit (all when None), before their weights."""
    made = _makers(plan, pool, zone)
    return {name: make() for name, make in made.items() if wanted is None or name in wanted}


def _makers(plan: Plan, pool: Pool, zone: tzinfo) -> dict[str, Callable[[], Column]]:
    units, words = pool.units, plan.words
    summary = says("asks_summary", plan.query)
    account = summary or says("asks_account", plan.query)
    assistant = summary or _asks_assistant(plan, words, units)
    role = "assistant" if assistant else None if account else "user"  # an account is in the turns of both
    heads = [Heard(u.text[:OPENING]) if u.speaker_role == "user" else None for u in units]
    deaf: list[Heard | None] = [None] * len(units)
    if any(heads) and says("asks_past", plan.query):
        heads = deaf  # instructions were given for what is to be done
    wishes = heads if any(heads) and says("asks_help", plan.query) else deaf
    return {
        "keyword": lambda: _keyword(pool),
        "semantic": lambda: zscores(pool.cosine),
        "interaction": lambda: zscores(pool.interaction),
        "next": lambda: _next(pool),
        "exact": lambda: _exact_shares(plan, units),
        "speaker": lambda: _of_whom(units, words),
        "asks": lambda: _each(units, lambda u: among_people(u) and asks(u.text)),
        "asking": lambda: [asking(u.text) if among_people(u) else 0.0 for u in units],
        "answers": lambda: _answers(pool),
        "time": lambda: _in_time(units, plan.periods, zone),
        "names": lambda: names(plan, units),
        "told_time": lambda: told(plan, units, "time"),
        "told_number": lambda: told(plan, units, "number"),
        "role": lambda: _each(units, lambda u: role is not None and _role(u) == role),
        "standing": lambda: _heard(heads, "standing"),
        "instruction": lambda: _heard(heads, "instruction"),
        "preference": lambda: _heard(wishes, "preference"),
        "opens": lambda: [
            float(u.speaker_role is not None and b is None and not account)
            for u, b in zip(units, pool.before, strict=True)
        ],
        "relevance": lambda: column(units, pool.distance, plan.view.now, plan.profile),
        "length": lambda: zscores([log(1 + len(u.text)) if u.speaker_role else None for u in units], matches=False),
    }


def zscores(values: Sequence[float | None], *, matches: bool = True) -> Column:
    """Standard scores; 0 for what has no value (a unit not embedded yet), and for all where they do not differ."""
    mean, spread = _of_matches(values) if matches else _of_all([v for v in values if v is not None])
    return [0.0 if v is None or spread == 0 else (v - mean) / spread for v in values]


def _of_matches(values: Sequence[float | None]) -> tuple[float, float]:
    """Mean and spread of what tells a match; a small pool counts as one of SMALL units, the others without a match.

    Else no score among four units could stand out as one among a hundred does, and what speaks for a unit beside its
    match would outweigh it in every small mind. There the best is HIGH at most, so that the match is not all either.
    """
    known = [v for v in values if v is not None]
    if len(known) >= SMALL:
        return _of_all(known)
    mean, spread = _of_all([*known, *[0.0] * (SMALL - len(known))])
    return mean, max(spread, (max(known, default=0.0) - mean) / HIGH)


def _of_all(values: Sequence[float]) -> tuple[float, float]:
    if not values:
        return 0.0, 0.0
    mean = sum(values) / len(values)
    return mean, sqrt(sum((v - mean) ** 2 for v in values) / len(values))


def _keyword(pool: Pool) -> Column:
    """The match by words. Across languages no word can match, so meaning speaks for it.

    And the fewer units words can match in, the less it says that they do: a near miss in the question's own language
    shares its words, and the answer in another one none.
    """
    words = zscores(pool.keyword)
    if not any(pool.foreign):
        return words
    own = 1 - sum(pool.foreign) / len(pool.foreign)
    shares = [0.0 if other else own for other in pool.foreign]
    return [w * share + m * (1 - share) for w, m, share in zip(words, zscores(pool.cosine), shares, strict=True)]


def _next(pool: Pool) -> Column:
    """How near the next turn is by meaning, on the scale of the pool: an answer lights up what it answers."""
    mean, spread = _of_matches(pool.cosine)
    return [0.0 if c is None or spread == 0 else (c - mean) / spread for c in pool.next_cosine]


def _asks_assistant(plan: Plan, words: frozenset[str], units: Sequence[Unit]) -> bool:
    """Whether the question is about what the assistant said: it says so, or names it."""
    named = any(u.speaker_role == "assistant" and _is_named(u.speaker, words) for u in units)
    return named or says("asks_assistant", plan.query)


def _each(units: Sequence[Unit], holds: Callable[[Unit], bool]) -> Column:
    return [float(holds(unit)) for unit in units]


def _role(unit: Unit) -> str:
    """The role a unit speaks in; what was noted down or said between people counts as the user's own words."""
    return unit.speaker_role or "user"


def _of_whom(units: Sequence[Unit], words: frozenset[str]) -> Column:
    """Whether the question names each unit's speaker; or, of a memory, somebody who speaks here and whom it names."""
    named = {first for u in units if among_people(u) and (first := _first_name(u.speaker)) in words}
    return [
        float(among_people(u) and _first_name(u.speaker) in named)
        if u.node_class is not NodeClass.MEMORY
        else float(bool(named) and not named.isdisjoint(WORD.findall(f"{u.subject or ''} {u.text}".casefold())))
        for u in units
    ]


@lru_cache(maxsize=1024)
def _first_name(speaker: str | None) -> str:
    """The first of a speaker's names, "" without one."""
    names = (speaker or "").casefold().split()
    return names[0] if names else ""


def _heard(heads: Sequence[Heard | None], cue: CueName) -> Column:
    """Whether each unit is a user's and gives a cue early on."""
    return [float(head is not None and head.gives(cue)) for head in heads]


def _in_time(units: Sequence[Unit], periods: Sequence[Period], zone: tzinfo) -> Column:
    """Whether each unit lies in a time the question names; a month named alone is that month of any year."""
    if not periods:
        return [0.0] * len(units)
    months = {p.month for p in periods if p.month is not None and not p.settled}
    return _each(
        units,
        lambda u: (
            any(p.start <= u.happened_at < p.end for p in periods)
            or (bool(months) and moment(u.happened_at).astimezone(zone).month in months)
        ),
    )


def _is_named(speaker: str | None, words: frozenset[str]) -> bool:
    """Whether the question names a speaker, by the first of their names."""
    return _first_name(speaker) in words


def _answers(pool: Pool) -> Column:
    """What the question a turn answers is worth by keywords, in standard deviations: its answer shares it."""
    _, spread = _of_matches(pool.keyword)
    if spread == 0:
        return [0.0] * len(pool.units)
    return [
        score / spread if before is not None and among_people(unit) and asks(before.text) else 0.0
        for unit, before, score in zip(pool.units, pool.before, pool.asked, strict=True)
    ]


def _exact_shares(plan: Plan, units: Sequence[Unit]) -> Column:
    """The share of the query's ids that stand in each unit, less in another spelling; of other words what is typed."""
    ids, respelt = plan.exact, plan.respelt
    shares = [len(matched_terms(u.text, ids)) / len(ids) if ids else 0.0 for u in units]
    if not respelt:
        return shares
    if not ids:
        return [sum(_worths(respelt, unit.text)) for unit in units]
    whole = sum(_worths(respelt))
    return [share and share - whole + sum(_worths(respelt, u.text)) for share, u in zip(shares, units, strict=True)]


def _worths(words: Sequence[str], text: str | None = None) -> Iterator[float]:
    """What each of the words that stand in a text as typed is worth; every word without a text."""
    plain = None if text is None else text.casefold()
    for word in words:
        if plain is None or _stands(word, plain):
            yield (TYPED_WORD if DIGIT.search(word) is None else TYPED_ID) / len(words)


def _stands(word: str, text: str) -> bool:
    """Whether a text holds a word as a whole, as far as its script shows where words end."""
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)" if word.isascii() else re.escape(word), text) is not None
