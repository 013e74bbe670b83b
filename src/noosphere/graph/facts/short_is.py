"""A short "is" spelled out: "the rent's 950 euros now" is "the rent is 950 euros now"; "Tom's bike" stays.

An apostrophe with an s makes an owner more often than a verb. It is a verb where what stands behind it cannot be owned,
and a noun alone, or one with an article, stands before it where a clause begins. Which words these are is data.
"""

from __future__ import annotations

import re
from functools import cache

from noosphere.graph.facts.rulebook import data

SHORT = ("'s ", "’s ")
LOOKED_BACK = 60  # characters: the noun before it is short
STARTS = re.compile(r"(?:^|[.!?,;:\n] ?|[–—-] )([^.!?,;:\n–—]*)$")


def spelled_out(text: str) -> str:
    """A text in which "is" stands wherever it is sure to be what a short form stands for."""
    if SHORT[0] not in text and SHORT[1] not in text:
        return text
    return _behind().sub(lambda match: " is" if _is_noun(text[: match.start()]) else match[0], text)


def is_short(text: str) -> bool:
    """Whether a text holds a short "is"."""
    return spelled_out(text) != text


def _is_noun(before: str) -> bool:
    """Whether what stands before a short form is the noun that leads a clause."""
    start = STARTS.search(before[-LOOKED_BACK:])
    if start is None:
        return False
    words = _led().sub("", start[1].lstrip()).lower().split()
    given = data()["short_is"]
    named = words[1:] if words[:1] and words[0] in given["articles"] else words
    return 0 < len(named) <= given["most"] and _unnamed().isdisjoint(named)


@cache
def _behind() -> re.Pattern[str]:
    return re.compile(rf"(?<=\w)['’]s(?= (?:{'|'.join(data()['short_is']['behind'])}))", re.IGNORECASE)


@cache
def _led() -> re.Pattern[str]:
    return re.compile(rf"^(?:(?:{data()['short_is']['led']}) )+", re.IGNORECASE)


@cache
def _unnamed() -> frozenset[str]:
    return frozenset([*data()["short_is"]["no_noun"].split(), *data()["past"]["forms"].split()])
