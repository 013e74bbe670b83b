"""kind_of: the type of a name, by its own words, by what stands beside it, and by what it does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from noosphere.graph.names.lists import given, hints, known, ordinary, places
from noosphere.graph.normalize import POSSESSIVE

if TYPE_CHECKING:
    from noosphere.graph.names.tokens import Sentence, Token

STOPS = frozenset(
    {"of", "for", "in", "on", "at", "with", "by", "from", "who", "which", "that", "to", "and", "is", "was", "has"}
)
ARTICLES = frozenset(
    {"the", "a", "an", "our", "my", "his", "her", "their", "your", "its", "der", "die", "una", "un", "la", "le"}
)
BE = frozenset({"is", "was", "are", "were", "ist", "est", "es", "è"})
NEAR = 5  # words of a description that are read for its noun
PAIR = (2, 3)  # words of a name that is a person's unless something says otherwise


def kind_of(  # noqa: PLR0911  (every return is a hint of its own)
    text: str, sentence: Sentence, at: int, stop: int
) -> tuple[str, bool]:
    """The type of the name words[at:stop], and whether something tells it."""
    words = sentence.words
    run = words[at:stop]
    for told in (_own(sentence, at, stop), _after(text, words, stop), _before(text, words, at), _numbered(run)):
        if told is not None:
            return told, True
    if run[0].low in given() and len(run) <= 4:  # noqa: PLR2004  (longer names are of things)
        return "person", True
    does = words[stop].low if stop < len(words) else ""
    if does in hints().does and text[run[-1].end : words[stop].start] == " ":
        return hints().does[does], True
    led = _led(words, at)
    plain = not any(w.low in ordinary() or w.number for w in run)
    if led is not None and (len(run) == 1 or led in ("location", "organization")):
        return led, True
    if len(run) in PAIR and any(c.isupper() for word in run for c in word.text[1:].replace("Mc", "").replace("-", "")):
        return "product", True
    if len(run) in PAIR and plain:
        return "person", False
    return ("technology" if any(c.isupper() for c in run[-1].text[1:]) and plain else "concept"), False


def _own(sentence: Sentence, at: int, stop: int) -> str | None:  # noqa: PLR0911  (every return is a hint of its own)
    """What the words of a name say: "Kestrel Mutual", "Lake Bled", "Project Heron", "the Clayworks order"."""
    words, lists = sentence.words, hints()
    first, last = words[at].low, POSSESSIVE.sub("", words[stop - 1].low)
    whole = POSSESSIVE.sub("", " ".join(word.low for word in words[at:stop]))
    if (noun := behind(words, stop)) is not None and first not in given():
        return noun
    if stop - at > 1:
        if first in lists.first and first not in given():
            return lists.first[first]
        if f"{first} {words[at + 1].low}" in lists.first:
            return lists.first[f"{first} {words[at + 1].low}"]
        if last in lists.last:
            return lists.last[last]
        if first in lists.first:
            return lists.first[first]
        if words[at].low in known() and (one := known()[words[at].low][-1]).exact is None and len(one.words) == 1:
            return one.type
    if whole in places():
        return "location"
    return None


def behind(words: tuple[Token, ...], stop: int) -> str | None:
    """The type that a noun written small right after the name tells."""
    if stop >= len(words) or words[stop].large or words[stop].start - words[stop - 1].end != 1:
        return None
    return hints().behind.get(words[stop].low)


def _after(text: str, words: tuple[Token, ...], stop: int) -> str | None:
    """What a description after the name says: "Cookie, the build cache", "Pelagia is a research vessel"."""
    if stop + 1 >= len(words):
        return None
    gap = text[words[stop - 1].end : words[stop].start]
    at = stop
    if words[stop].low in BE and gap == " ":
        at = stop + 1
    elif gap.strip() not in (",", "(", "–", "—", ", ("):
        return None
    if at >= len(words) or words[at].low not in ARTICLES:
        return None
    return _noun(text, words, at + 1)


def _noun(text: str, words: tuple[Token, ...], at: int) -> str | None:
    """The type that the noun of a description tells: the last of its words that tells one."""
    told = None
    for number in range(at, min(at + NEAR, len(words))):
        if words[number].low in STOPS or (number > at and text[words[number - 1].end : words[number].start] != " "):
            break
        pair = f"{words[number].low} {words[number + 1].low}" if number + 1 < len(words) else ""
        told = hints().beside.get(pair) or hints().beside.get(words[number].low) or told
    return told


def _before(text: str, words: tuple[Token, ...], at: int) -> str | None:
    """What the noun before the name says: "the research vessel Pelagia", "our broker, Delphine Maes"."""
    if at == 0:
        return None
    gap = text[words[at - 1].end : words[at].start]
    said = hints().beside.get(words[at - 1].low)
    if gap in (" ", " «", ' "', " “", " „", ": "):
        if said is None and at > 1 and words[at - 1].low in ("of", "called", "named", "di", "de"):
            said = hints().beside.get(words[at - 2].low)
        return said
    if gap == ", ":
        told = said or (hints().beside.get(words[at - 2].low) if at > 1 else None)
        closed = text[words[at].end : words[at].end + 1] == ","
        return told if told == "person" or closed else None
    return None


def _numbered(run: tuple[Token, ...]) -> str | None:
    if len(run) < 2 or not any(c.isdigit() for c in run[-1].text):  # noqa: PLR2004  (a name and a number)
        return None
    return "event" if re.fullmatch(r"(?:19|20)\d\d", run[-1].text) else "product"


def _led(words: tuple[Token, ...], at: int) -> str | None:
    """What the words before the name say: "moved to Truro", "works at Brumaire"."""
    if at == 0:
        return None
    pair = f"{words[at - 2].low} {words[at - 1].low}" if at > 1 else ""
    after = hints().after
    return after.get(pair) or after.get(words[at - 1].low)
