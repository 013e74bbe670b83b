"""Names made into mentions, and those that are written small: by what is said of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from noosphere.graph.names.lists import known, ordinary
from noosphere.graph.names.mention import Mention
from noosphere.graph.normalize import normalize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.graph.names.tokens import Sentence

WORD = r"([a-z][a-z\d_.-]+[a-z\d])"
USED = re.compile(
    r"\b(?:uses|using|depends on|relies on|is built (?:on|with)|is written in|is powered by|switched to|migrated to|"
    rf"moved to|runs on|adopted|import|pip install|npm install) {WORD}(?:(?:,| and| or)(?: on)? {WORD})?"
    rf"(?: (?:instead of|rather than|over) {WORD})?"
)
UNDERTAKING = re.compile(
    r"\b(?i:the|our|my|their|this|your) ((?:[a-z][\w-]*)(?: [a-z][\w-]*)?) (project|initiative|programme)\b"
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
DESCRIBED = re.compile(rf"\b(\w[\w-]*\w), (?:a|an|our|the|my|their) (?:[\w-]+ ){{0,3}}?({'|'.join(TYPES)})\b")


def make(name: str, type_: str, span: tuple[int, int], sentence: Sentence, *, sure: bool, known: bool) -> Mention:
    """A mention of a name in a sentence."""
    key = normalize(name)
    return Mention(name=name, key=key, type=type_, sure=sure, known=known, span=span, sentence=sentence.number)


def small_names(text: str, sentence: Sentence) -> Iterator[Mention]:
    """Names that are written small: "the coffee-shop project", "uses httpx", "tallyman, a small service"."""
    for match in UNDERTAKING.finditer(text, sentence.start, sentence.end):
        own = [word for word in match[1].split() if word not in PLAIN]
        if own and own != ["this"]:
            start = match.start(1) + match[1].index(own[0])
            span = (start, match.end())
            yield make(text[start : match.end()], "project", span, sentence, sure=True, known=False)
    if sentence.language != "en":
        return
    for match in USED.finditer(text, sentence.start, sentence.end):
        for group in (1, 2, 3):
            if match[group] and match[group] not in ordinary():
                yield make(match[group], "technology", match.span(group), sentence, sure=False, known=False)
    for match in DESCRIBED.finditer(text, sentence.start, sentence.end):
        if match[1][0].islower() and match[1] not in ordinary() and match[1] not in known():
            yield make(match[1], TYPES[match[2]], match.span(1), sentence, sure=True, known=False)
