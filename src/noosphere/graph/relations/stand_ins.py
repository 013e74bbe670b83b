"""Words that stand for a name of the sentence before: it, she, the project, both."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noosphere.graph.names import Mention

PEOPLE = frozenset(
    {
        "she",
        "he",
        "her",
        "his",
        "seine",
        "sein",
        "ihre",
        "ihr",
        "sie",
        "ella",
        "él",
        "elle",
        "lei",
        "lui",
        "zij",
        "hij",
        "она",
    }
)
KINDS = {
    "project": "project service programme initiative team app system",
    "organization": "company firm team trust charity school hospital library museum band club",
    "technology": "library",
    "product": "app site ship vessel system",
    "tool": "tool",
    "location": "site building",
    "event": "festival event conference",
}
GENERIC: dict[str, tuple[str, ...]] = {
    noun: tuple(kind for kind, nouns in KINDS.items() if noun in nouns.split())
    for nouns in KINDS.values()
    for noun in nouns.split()
}
START = re.compile(
    r"\W*(?:(?P<one>it|its|she|he|her|his|seine?|ihre?|il|elle|er|sie|es|él|ella|lui|lei|он|она|оно|zij|hij|het|to)\b|"
    rf"(?:the|this|that) (?P<kind>{'|'.join(GENERIC)})\b|"
    r"(?P<many>(?:they|both|all (?:two|three|four|five|of them)))\b)",
    re.IGNORECASE,
)


def stand_ins(text: str, names: Sequence[Mention], number: int, start: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """Where a sentence begins with a word that stands for a name before it: start, end, and the names."""
    match = START.match(text, start)
    before = [n for n, one in enumerate(names) if one.sentence == number - 1]
    if match is None or not before:
        return []
    if match["many"]:
        who = [n for n in _once(before, names) if names[n].type == names[before[-1]].type]
        who = who or before
        return [(match.start("many"), match.end("many"), tuple(who))]
    group = "one" if match["one"] else "kind"
    word = match[group].lower()
    told = word in PEOPLE
    if told and len({names[n].key for n in before if names[n].type == "person"}) > 1:
        return []  # which of them is a guess
    fits = [
        n
        for n in before
        if (names[n].type in GENERIC[word] if group == "kind" else (names[n].type == "person") == told)
    ]
    return [(match.start(group), match.end(group), (fits[0],))] if fits else []


def _once(before: list[int], names: Sequence[Mention]) -> list[int]:
    found: dict[str, int] = {}
    for n in before:
        found.setdefault(names[n].key, n)
    return list(found.values())
