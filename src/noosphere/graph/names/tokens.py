"""A text cut into sentences and words, with what opens a sentence and which words are written large."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from noosphere.graph.names.lists import TOKEN
from noosphere.records import dataclass

MAX_TEXT = 20_000  # characters that are read: more is a document, whose parts are read one by one
MARK = "[.!?…]"
MOST_MARKS = 12  # that are read at once: of a longer row, the last ones end the sentence
BEFORE = (
    r"\bDr",
    r"\bMr",
    r"\bMrs",
    r"\bMs",
    r"\bSt",
    r"\bProf",
    r"\bRev",
    r"\bNo",
    r"\be\.g",
    r"\bi\.e",
    r"\bvs",
    r"\b[A-Z]",
)
END = re.compile(  # begins with a class of characters, which `re` looks for quickly
    rf"[.!?…。！？\n](?:(?<=[。！？])|(?<=\n)\n*|(?<={MARK})"
    + "".join(f"(?<!{short}{MARK})" for short in BEFORE)
    + rf"{MARK}{{0,{MOST_MARKS}}}[\"'”’)»]{{0,{MOST_MARKS}}}\s+)"
)
LATIN = "ɏ"  # the last letter that is
KEPT = 4  # texts whose cut is kept: names, relations and what is written small are read one after another
GERMAN = frozenset(
    {"der", "die", "das", "und", "ist", "nicht", "ein", "eine", "einen", "für", "mit", "wird", "wir", "ich"}
)
OTHER = frozenset(
    {"il", "la", "el", "los", "las", "le", "les", "des", "du", "et", "est", "un", "una", "une", "de", "het", "een",
     "en", "per", "si", "è", "que", "por", "con", "del", "della", "nel", "dans", "pour", "avec", "van", "voor", "niet",
     "do", "da", "na", "os", "em", "jest", "się", "nie", "w", "z", "i", "a", "oraz", "och", "är", "og", "er", "på"}
)  # fmt: skip
ENGLISH = frozenset(
    {"the", "a", "an", "is", "are", "was", "and", "of", "for", "with", "by", "at", "to", "on", "it", "we", "he", "she",
     "our", "has", "have", "will", "from", "that", "this", "my", "you", "they", "not", "uses", "leads", "led"}
)  # fmt: skip


class Token(NamedTuple):
    """A word: where it starts and ends in the text, as written, and small."""

    start: int
    end: int
    text: str
    low: str

    @property
    def large(self) -> bool:
        """Whether it is written like a name: capital first, or somewhere in it."""
        return self.text[0].isupper() or (self.text[0] != "&" and self.text[1:] != self.low[1:])

    @property
    def number(self) -> bool:
        """Whether it begins with a digit."""
        return self.text[0].isdigit()


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a text, by its words; `shouted` when most are written large, so that it tells nothing."""

    number: int
    start: int
    end: int
    words: tuple[Token, ...]
    language: str
    shouted: bool


def cut(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text, in order."""
    return _cut(text[:MAX_TEXT])


@lru_cache(maxsize=KEPT)
def _cut(read: str) -> tuple[Sentence, ...]:
    found: list[Sentence] = []
    at = 0
    for end in [*(m.end() for m in END.finditer(read)), len(read)]:
        words = tuple([Token(*m.span(), m[0], m[0].lower()) for m in TOKEN.finditer(read, at, end)])
        if words:
            found.append(Sentence(len(found), at, end, words, _language(words), _is_shouted(words)))
        at = end
    return tuple(found)


def _is_shouted(words: tuple[Token, ...]) -> bool:
    letters = [w for w in words if not w.number]
    return len(letters) > 6 and sum(w.large for w in letters) > 0.75 * len(letters)  # noqa: PLR2004  (a headline)


def _language(words: tuple[Token, ...]) -> str:
    low = {word.low for word in words}
    if max([word.text[0] for word in words]) > LATIN:
        return "other"  # another script
    german, other = len(low & GERMAN), len(low & OTHER)
    if len(low & ENGLISH) >= max(german, other):
        return "en"
    return "de" if german >= other else "other"
