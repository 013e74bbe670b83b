"""Idioms of change, put plainly: "turned out to be a copy" is "is a copy now", "went back to walking" "walk now".

So a rule and a renewal need to know one plain way of saying a thing. What an idiom looks like is data.
"""

from __future__ import annotations

import re
from functools import cache
from string import Formatter
from typing import TYPE_CHECKING, Any

from noosphere.graph.facts.rulebook import MACRO, MACROS, data
from noosphere.graph.facts.words import base
from noosphere.model.late import Late
from noosphere.model.needs import Needs, needs_of
from noosphere.model.worded import worded
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping


SHORT_VERB = re.compile(r"['’](?:ve|s|m|re|ll|d)$")


@dataclass(frozen=True, slots=True)
class Idiom:
    """A way of saying that something has changed.

    Attributes:
        form: what a whole clause looks like.
        plain: the plain clause, with the groups of the form; `{doing:base}` is the verb of "doing".
        whole: whether it may cover a sentence of several clauses.
    """

    form: Late
    plain: str
    whole: bool


def may_hold_idiom(text: str) -> bool:
    """Whether a text may hold an idiom."""
    return bool(_book()[1].open(worded(text)))


def without_idiom(clause: str, *, whole: bool = False) -> str | None:
    """A clause that is an idiom, plainly; None when it is none. Only the first idiom that fits counts.

    Args:
        clause: a clause.
        whole: whether it is a sentence that may hold several.
    """
    idioms, needs = _book()
    for n in needs.open(worded(clause)):
        if whole and not idioms[n].whole:
            continue
        if (match := idioms[n].form.compiled.fullmatch(clause)) is not None:
            return " ".join(_PLAIN.vformat(idioms[n].plain, (), match.groupdict()).split())
    return None


class _Plain(Formatter):
    """Fills a plain clause: a group that is not there is nothing."""

    def get_value(self, key: int | str, args: Any, kwargs: Mapping[str, Any]) -> str:  # noqa: ARG002  (a Formatter's)
        """The words of a group; who is named goes without the short verb behind."""
        words = kwargs[str(key)] or ""
        return SHORT_VERB.sub("", words) if key == "who" else words

    def format_field(self, value: Any, format_spec: str) -> str:
        """The words as they stand, or those of a verb in its plain form."""
        verb, _, rest = str(value).partition(" ")
        return f"{base(verb)} {rest}" if format_spec == "base" else str(value)


_PLAIN = _Plain()


@cache
def _book() -> tuple[tuple[Idiom, ...], Needs]:
    """Every idiom in the order they are tried, and what a text must hold for each."""
    given = data()["idiom"]
    forms = [Late(_spelled(one["form"], MACROS)) for one in given]
    anything = dict.fromkeys(MACROS, "(?:.*)")
    needs = Needs(needs_of(_spelled(one["form"], anything)) for one in given)
    return tuple(
        Idiom(form, one["plain"], one.get("whole", False)) for form, one in zip(forms, given, strict=True)
    ), needs


def _spelled(form: str, macros: Mapping[str, str]) -> str:
    return MACRO.sub(lambda m: macros[m[1]], form)
