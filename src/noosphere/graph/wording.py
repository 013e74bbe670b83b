"""One wording for what is said in several: a passive turned round, a time on the clock, a word for its synonyms.

`paraphrase` compares what is brought to it; the facts of a text are read off its clauses, which `facts` puts plainly.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from noosphere.graph.normalize import aliases
from noosphere.model.needs import Needs, needs_of
from noosphere.model.worded import worded

WORD = re.compile(r"[^\W_]+")
LIST = re.compile(r"(?<!\?P)<(\w+)>")  # not the name of a group
POSSESSIVE = re.compile(r"['’]s?$")
HALF_DAY, DAY = 12, 24
CLOCK = re.compile(
    r"\b(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d))?"
    r"(?:\s*(?P<half>[ap])\.?m\b\.?| (?:o['’]clock )?in the (?P<part>morning|afternoon|evening)\b| o['’]clock\b)",
    re.IGNORECASE,
)
AFTER_NOON = frozenset({"p", "afternoon", "evening"})


class Rules(NamedTuple):
    """The patterns in their order, what each makes of what it finds, and what a text must hold for it."""

    patterns: tuple[re.Pattern[str], ...]
    into: tuple[str, ...]
    needs: Needs


def in_one_wording(text: str) -> str:
    """A short text in the wording that stands for all that mean the same; it is compared, never shown."""
    text, known = text.strip(), rules()
    open_ones, tried = known.needs.open(worded(text)), -1
    while (n := next((n for n in open_ones if n > tried), None)) is not None:
        tried, before = n, text
        text = known.patterns[n].sub(lambda found, n=n: rewritten(found, known.into[n]), text)
        if text != before:
            open_ones = known.needs.open(worded(text))
    text = CLOCK.sub(_clock, text)
    words = worded(text).words
    if _words().keys().isdisjoint(words) and aliases().keys().isdisjoint(words):
        return text
    return WORD.sub(_synonym, text)


def rewritten(found: re.Match[str], into: str) -> str:
    """What a rule makes of what its pattern found."""
    parts = {name: _group(name, part or "") for name, part in found.groupdict().items()}
    if "either" in parts:
        parts["either"], parts["other"] = sorted((parts["either"], parts["other"]), key=str.casefold)
    return into.format(**parts)


def _group(name: str, part: str) -> str:
    match name:
        case "doer":
            return data()["doers"].get(part.casefold(), part)  # "ı" matches "i", and is no letter of it
        case "whose":
            return data()["persons"].get(part.casefold()) or POSSESSIVE.sub("", part)
        case "who":
            return _own().get(part.casefold()) or f"{part}'s"
        case _:
            return part


def _clock(found: re.Match[str]) -> str:
    """The time of day as a clock of 24 hours shows it; what is no such time stays as it is."""
    hour, half = int(found["hour"]), (found["half"] or found["part"] or "").lower()
    if half and not 1 <= hour <= HALF_DAY:
        return found[0]
    if half:
        hour = hour % HALF_DAY + HALF_DAY * (half in AFTER_NOON)
    return f"{hour}:{found['minute'] or '00'}" if hour < DAY else found[0]


@cache
def rules() -> Rules:
    """The rules of the file."""
    lists = {**data()["lists"], "doer": "|".join(data()["doers"])}
    written = [LIST.sub(lambda named: f"(?:{lists[named[1]]})", rule["pattern"]) for rule in data()["rule"]]
    return Rules(
        tuple(re.compile(pattern, re.IGNORECASE) for pattern in written),
        tuple(rule["into"] for rule in data()["rule"]),
        Needs(map(needs_of, written)),
    )


def _synonym(found: re.Match[str]) -> str:
    """The word that stands for all that mean the same; another name of a thing is as large as it was written."""
    word = found[0].casefold()
    if (name := aliases().get(word)) is not None and word.isalnum() and name.isalnum():
        return name[0].upper() + name[1:] if found[0][0].isupper() else name
    return _words().get(word, found[0])


@cache
def _own() -> dict[str, str]:
    return {person.casefold(): own for own, person in data()["persons"].items()}


@cache
def _words() -> dict[str, str]:
    groups = (line.split() for line in data()["words"])
    return {word: group[0] for group in groups for word in group[1:]}


@cache
def data() -> dict[str, Any]:
    """The file of words, rules and examples."""
    return tomllib.loads(resources.files("noosphere.graph").joinpath("wording.toml").read_text("utf-8"))
