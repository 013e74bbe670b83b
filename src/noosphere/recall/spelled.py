"""Which other spellings of a question's words the minds hold: those are asked for.

Each costs a look into the index, so only what is known goes on to the lanes. A word that no mind knows may be two that
stand in a row (database, of data base), which only the index can tell.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from noosphere.recall.gathering import Reader
    from noosphere.recall.plan import Plan
    from noosphere.store.connection import Connection
    from noosphere.store.frequencies import Frequencies
    from noosphere.store.fulltext import Era
    from noosphere.store.words.query import Term

LEAST = 5  # letters of a word that may be two
LEAST_PART = 2  # letters: set up
WAYS = 3  # to cut a word in two that are asked for


def spelled(readers: Sequence[Reader], plan: Plan) -> Plan:
    """The plan with those spellings of its words that one of the minds holds."""
    terms = [term for term in plan.terms if not term.stop]
    if not any(term.also or _may_be_two(term) for term in terms):
        return plan
    found: dict[Term, dict[str, None]] = {term: {} for term in terms}
    for reader in readers:
        with reader.mind.read() as sql:
            reader.frequencies.size(sql)
            holds = partial(_holds, sql, reader.frequencies, plan.eras)
            held = holds({match for term in terms for match in term.matches})
            for term in terms:
                own = [match for match in term.also if match.endswith("*") or match in held]  # a beginning has no count
                two = _in_two(term, holds) if _may_be_two(term) and term.match not in held else []
                found[term] |= dict.fromkeys(own + two)
    return replace(plan, terms=tuple(replace(t, also=tuple(found.get(t, ()))) for t in plan.terms))


def _holds(sql: Connection, frequencies: Frequencies, eras: Sequence[Era], matches: Collection[str]) -> set[str]:
    """Which expressions hold in a mind."""
    every = list(matches)
    return {match for match, count in zip(every, frequencies.of_matches(sql, every, eras), strict=True) if count}


def _may_be_two(term: Term) -> bool:
    return not term.exact and len(term.match) - 2 >= LEAST and term.match[1:-1].isalpha()


def _in_two(term: Term, holds: Callable[[Collection[str]], set[str]]) -> list[str]:
    """The word cut where both parts are known, in the middle first."""
    word = term.match[1:-1]
    cuts = sorted(range(LEAST_PART, len(word) - LEAST_PART + 1), key=lambda at: abs(len(word) - 2 * at))
    known = holds({f'"{part}"' for at in cuts for part in (word[:at], word[at:])})
    found = (f'"{word[:at]} {word[at:]}"' for at in cuts if {f'"{word[:at]}"', f'"{word[at:]}"'} <= known)
    return list(islice(found, WAYS))
