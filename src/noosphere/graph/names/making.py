"""Names made into mentions, and those that are written small: by what is said of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from noosphere.graph.names.lists import known, ordinary
from noosphere.graph.names.mention import Mention
from noosphere.graph.normalize import normalize
from noosphere.model.needs import Sought
from noosphere.model.worded import worded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.graph.names.tokens import Sentence

WORD = r"([a-z][a-z\d_.-]+[a-z\d])"
USED = Sought(
    re.compile(
        r"\b(?:uses|using|depends on|relies on|is built (?:on|with)|is written in|is powered by|switched to|"
        r"migrated to|moved to|runs on|adopted|import|pip install|npm install) "
        rf"{WORD}(?:(?:,| and| or)(?: on)? {WORD})?(?: (?:instead of|rather than|over) {WORD})?"
    )
)
UNDERTAKING = Sought(
    re.compile(r"\b(?i:the|our|my|their|this|your) ((?:[a-z][\w-]*)(?: [a-z][\w-]*)?) (project|initiative|programme)\b")
)
PLAIN = frozenset(
    [
        "new",
        "old",
        "whole",
        "same",
        "current",
        "next",
        "entire",
        "big",
        "small",
        "side",
        "other",
        "first",
        "second",
        "last",
        "main",
        "own",
        "pilot",
        "long",
        "short",
        "large",
        "little",
        "group",
        "pet",
        "open",
        "closed",
        "final",
        "recent",
        "previous",
        "different",
        "similar",
        "huge",
        "latest",
        "joint",
        "special",
        "personal",
        "school",
        "class",
    ]
)
TYPES = {
    "service": "project",
    "microservice": "project",
    "library": "technology",
    "tool": "tool",
    "cli": "tool",
    "framework": "technology",
    "daemon": "project",
    "database": "technology",
    "script": "tool",
    "bot": "project",
}
DESCRIBED = Sought(re.compile(rf"\b(\w[\w-]*\w), (?:a|an|our|the|my|their) (?:[\w-]+ ){{0,3}}?({'|'.join(TYPES)})\b"))


def make(name: str, type_: str, span: tuple[int, int], sentence: Sentence, *, sure: bool, known: bool) -> Mention:
    """A mention of a name in a sentence."""
    key = normalize(name)
    return Mention(name=name, key=key, type=type_, sure=sure, known=known, span=span, sentence=sentence.number)


def small_forms(text: str) -> frozenset[Sought]:
    """The forms of names written small that a text can hold."""
    told = worded(text)
    return frozenset(form for form in (UNDERTAKING, USED, DESCRIBED) if form.may_match(told))


def small_names(text: str, sentence: Sentence, forms: frozenset[Sought]) -> Iterator[Mention]:
    """Names that are written small: "the coffee-shop project", "uses httpx", "tallyman, a small service".

    Args:
        text: the whole text.
        sentence: one of its sentences.
        forms: those that the text can hold.
    """
    if UNDERTAKING in forms:
        yield from _undertakings(text, sentence)
    if sentence.language != "en":
        return
    if USED in forms:
        for match in USED.pattern.finditer(text, sentence.start, sentence.end):
            for group in (1, 2, 3):
                if match[group] and match[group] not in ordinary():
                    yield make(match[group], "technology", match.span(group), sentence, sure=False, known=False)
    if DESCRIBED in forms:
        for match in DESCRIBED.pattern.finditer(text, sentence.start, sentence.end):
            if match[1][0].islower() and match[1] not in ordinary() and match[1] not in known():
                yield make(match[1], TYPES[match[2]], match.span(1), sentence, sure=True, known=False)


def _undertakings(text: str, sentence: Sentence) -> Iterator[Mention]:
    for match in UNDERTAKING.pattern.finditer(text, sentence.start, sentence.end):
        own = [word for word in match[1].split() if word not in PLAIN]
        if own and own != ["this"]:
            start = match.start(1) + match[1].index(own[0])
            span = (start, match.end())
            yield make(text[start : match.end()], "project", span, sentence, sure=True, known=False)
