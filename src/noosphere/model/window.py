"""Time in a question: the months and years it names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.clock import moment

if TYPE_CHECKING:
    from datetime import tzinfo

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
# "may" and "march" are verbs more often than months: they count only with a capital, a year, or "in", "of", "since" …
NAMED = re.compile(
    rf"\b(?P<month>{'|'.join(m for m in MONTHS if m not in ('may', 'march'))})\b(?:,?\s+(?P<year>(?:19|20)\d\d))?"
    r"|(?P<cue>\b(?:in|of|since|until|by|during|last|next|early|mid|late|before|after|this)[\s-]+)?"
    r"\b(?P<verb>may|march)\b(?:,?\s+(?P<verb_year>(?:19|20)\d\d)\b|(?=\s+\d{1,2}\b))?",
    re.IGNORECASE,
)
YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class Named:
    """A month, with its year when one was named."""

    month: int
    year: int | None


def named_months(text: str) -> tuple[Named, ...]:
    """The months a question names, in order."""
    found: list[Named] = []
    for match in NAMED.finditer(text):
        word, year = match["month"], match["year"]
        if word is None:
            word, year = match["verb"], match["verb_year"]
            sure = match["cue"] or year or (word[0].isupper() and match.start("verb") > 0)
            if not sure:
                continue
        found.append(Named(MONTHS.index(word.lower()) + 1, int(year) if year else _only_year(text)))
    return tuple(dict.fromkeys(found))


def falls_in(at: int, months: tuple[Named, ...], zone: tzinfo) -> bool:
    """Whether a moment lies in one of the months."""
    local = moment(at).astimezone(zone)
    return any(local.month == m.month and m.year in (None, local.year) for m in months)


def _only_year(text: str) -> int | None:
    years = set(YEAR.findall(text))
    return int(years.pop()) if len(years) == 1 else None
