"""Overtaking: how likely it is that a later memory tells what has become of what an earlier one says.

A logistic over what two texts and a question share. It understands neither text: the rules that do end statements when
they are written (write/endings); this only tells which of two matches to read first.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib import resources
from math import exp
from typing import TYPE_CHECKING, Any

from noosphere.model.persons import FIRST, FIRST_OF_MANY, KIN
from noosphere.records import dataclass
from noosphere.store.words.porter import stem
from noosphere.store.words.query import query_terms

if TYPE_CHECKING:
    from collections.abc import Mapping

READ = 600  # characters: a longer text tells of more than one thing
REMEMBERED = 2048  # texts: the best matches are often the same ones
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
BEGINS = re.compile(r"(?:^|[.!?:;…\n]\s*)\W*$")
DIGIT = re.compile(r"\d")
SPEAKER = FIRST | FIRST_OF_MANY
MOST = 3.0  # a word of a kind more than three times says no more


@dataclass(frozen=True, slots=True)
class Told:
    """A text as it is compared.

    Attributes:
        words: the stems of its words that carry meaning.
        names: those of them that are names, by a capital that their place does not give.
        kin: whom it tells of: a sister, a boss.
        own: whether the speaker tells of themselves.
        all: all its words, and "0" for a number, as its form.
        change: how many ways it has of saying that something is another now.
        doubt: how many of saying that it may not be so, or was long ago; a question is one.
    """

    words: frozenset[str]
    names: frozenset[str]
    kin: frozenset[str]
    own: bool
    all: frozenset[str]
    change: float
    doubt: float

    @property
    def numbered(self) -> bool:
        """Whether it holds a number."""
        return "0" in self.all


@lru_cache(maxsize=REMEMBERED)
def told(text: str) -> Told:
    """Read a text, of which the beginning counts."""
    head = text[:READ]
    found = list(WORD.finditer(head))
    low = [word[0].casefold().replace("’", "'") for word in found]
    bare = [word.partition("'")[0] for word in low]
    spoken = f" {' '.join(low)} "
    words = frozenset(stem(term.shown.casefold()) for term in query_terms(head) if not term.stop)
    named = {
        stem(short)
        for word, short in zip(found, bare, strict=True)
        if word[0][0].isupper() and short not in SPEAKER and BEGINS.search(head, 0, word.start()) is None
    }
    return Told(
        words=words,
        names=words & named,
        kin=KIN.intersection(bare),
        own=not SPEAKER.isdisjoint(low),
        all=frozenset("0" if DIGIT.search(word) else word for word in low),
        change=_ways(spoken, "change"),
        doubt=min(_ways(spoken, "doubt") + head.count("?"), MOST),
    )


def _ways(spoken: str, of: str) -> float:
    return min(float(sum(f" {way} " in spoken for way in data()["ways"][of])), MOST)


def features(asked: Told, older: Told, newer: Told, sure: float) -> dict[str, float]:
    """What two memories and a question share.

    Args:
        asked: the question.
        older: the better match, told first.
        newer: what was told later.
        sure: how sure a match that is, 0 to 1.
    """
    shared = older.words & newer.words
    wanted = max(len(asked.words), 1)
    missing = bool(asked.words & older.words - newer.words)
    form = len(older.all & newer.all) / max(min(len(older.all), len(newer.all)), 1)
    another = bool(newer.names - older.words)
    return {
        "change": newer.change,
        "doubt": newer.doubt,
        "doubt_of_older": older.doubt,
        "shared": float(min(len(shared), 4)),
        "share_of_older": len(shared) / max(len(older.words), 1),
        "only_older_own": float(older.own and not newer.own),
        "only_newer_own": float(newer.own and not older.own),
        "kin_of_older": float(bool(older.kin - newer.kin)),
        "kin_of_newer": float(bool(newer.kin - older.kin - asked.kin)),
        "numbers_of_both": float(older.numbered and newer.numbered),
        "number_of_older": float(older.numbered and not newer.numbered),
        "names_of_newer": float(min(len(newer.names - older.words), 3)),
        "names_of_both": float(another and bool(older.names - newer.words)),
        "asked_of_both": len(asked.words & shared) / wanted,
        "asked_all_there": float(not missing and bool(asked.words & older.words)),
        "asked_missing": float(missing),
        "form": form,
        "form_without_asked": form * missing,
        "sure": sure,
    }


def p(values: Mapping[str, float]) -> float:
    """How likely it is that the later one overtakes the earlier, 0 to 1."""
    weights = data()["weights"]
    return 1 / (1 + exp(-weights["base"] - sum(weights[name] * value for name, value in values.items())))


def least() -> float:
    """From which p on the later one stands first."""
    return data()["order"]["least"]


@cache
def data() -> dict[str, Any]:
    """The weights and the ways of saying a change or a doubt."""
    return tomllib.loads(resources.files("noosphere.recall").joinpath("overtaking.toml").read_text(encoding="utf-8"))
