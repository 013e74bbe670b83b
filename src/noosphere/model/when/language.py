"""Languages: the words and the patterns of each, read from data files when a text first needs them."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from noosphere.model.when.calling import Calling
from noosphere.model.when.form import Form, FormCompiler
from noosphere.model.when.lexicon import Lexicon
from noosphere.model.when.reading import Kind
from noosphere.model.when.token import WORD
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.resources.abc import Traversable

LANGUAGES = ("en", "de", "es", "fr")
ENGLISH = ("numeric", "en/dates", "en/weekdays", "en/periods", "en/years", "en/relatives", "en/ranges")
OTHERS = ("numeric", "common")  # read the rest, by the words of each
LEVELS = (
    "clock",
    "point",
    "part",
    "step",
    "range",
    "bound",
)  # each reads phrases over what the ones before it have read
EVERY = -1  # the mask that every text meets
REMEMBERED = 4096  # sets of classes of which it is remembered what fits


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern as its data file gives it.

    Attributes:
        id: unique in its language.
        makes: the name of what builds the reading; "nothing" makes the words no time at all.
        kind: what sort of time it is.
        form: compiled.
        options: what the builder is told beside the words.
        unless: mask of classes that must not be anywhere in the text.
        asks: whether the phrase bounds a search by itself.
    """

    id: str
    makes: str
    kind: Kind
    form: Form
    options: Mapping[str, Any]
    unless: int
    asks: bool


class Level:
    """The patterns of one level, found by the classes that a text must have for them."""

    __slots__ = ("_asked", "_by_need", "_conditions", "_known", "patterns")

    def __init__(self, patterns: Sequence[Pattern], words: Lexicon) -> None:
        """Put each pattern by the condition that fewest texts meet, as far as the words tell."""
        self.patterns = patterns
        self._conditions = [(pattern.unless, tuple(pattern.form.needs)) for pattern in patterns]
        by_need: dict[int, list[int]] = {}
        for rank, pattern in enumerate(patterns):
            need = min(pattern.form.needs, key=words.how_common, default=EVERY)
            by_need.setdefault(need, []).append(rank)
        self._by_need = tuple(by_need.items())
        self._asked = 0  # the classes that make a difference
        for unless, needs in self._conditions:
            self._asked |= unless
            for need in needs:
                self._asked |= need
        self._known: dict[int, list[Pattern]] = {}

    def fitting(self, seen: int) -> list[Pattern]:
        """The patterns that can match in a text of these classes, in order."""
        asked = seen & self._asked
        found = self._known.get(asked)
        if found is None:
            if len(self._known) >= REMEMBERED:
                self._known = {}
            found = self._known[asked] = self._fitting(asked)
        return found

    def _fitting(self, seen: int) -> list[Pattern]:
        ranks: list[int] = []
        for need, these in self._by_need:
            if need == EVERY or seen & need:
                ranks += [rank for rank in these if not self._lacks(rank, seen)]
        return [self.patterns[rank] for rank in sorted(ranks)]

    def _lacks(self, rank: int, seen: int) -> bool:
        """Whether a text of these classes lacks one that a pattern needs, or has one that it must not have."""
        unless, needs = self._conditions[rank]
        if unless & seen:
            return True
        for need in needs:  # noqa: SIM110  (a generator for each of some twenty patterns a text takes twice as long)
            if not seen & need:
                return True
        return False


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its words, its patterns by level, and what tells its tenses."""

    code: str
    lexicon: Lexicon
    levels: tuple[Level, ...]
    past: int
    future: int
    present: int  # words behind which a form with the past ending tells of a state: "is closed"
    leading: int
    asking: int
    possessive: int
    past_ending: re.Pattern[str] | None  # over words that stand in lines of their own
    day_first: bool


@cache
def lexicon(code: str) -> Lexicon:
    """The words of a language."""
    return Lexicon(data(f"{code}/words"))


@cache
def language(code: str) -> Language:
    """A language with its patterns."""
    words = lexicon(code)
    given = data(f"{code}/words")
    compiler = FormCompiler(words.classes, data("numeric")["macros"] | given["macros"])
    patterns: dict[str, list[Pattern]] = {level: [] for level in LEVELS}
    for file in files(code):
        found = data(file)
        for level in LEVELS:
            patterns[level] += [_pattern(p, found["kind"], words, compiler) for p in found.get(level, ())]
    ending = given["signs"].get("past_ending")
    return Language(
        code=code,
        lexicon=words,
        levels=tuple(Level(patterns[level], words) for level in LEVELS),
        past=words.classes.mask(["past"]),
        future=words.classes.mask(["future"]),
        present=words.classes.mask(["present"]) if ending else 0,
        leading=words.classes.mask(["leading"]),
        asking=words.classes.mask(["asking"]),
        possessive=words.classes.mask(["possessive"]),
        past_ending=re.compile(ending, re.MULTILINE) if ending else None,
        day_first=given["signs"]["day_first"],
    )


def _pattern(given: Mapping[str, Any], kind: str, words: Lexicon, compiler: FormCompiler) -> Pattern:
    return Pattern(
        id=given["id"],
        makes=given["makes"],
        kind=Kind(given.get("kind", kind)),
        form=compiler.compile(given["form"]),
        options=given.get("with", {}),
        unless=words.classes.mask(given.get("unless", [])),
        asks=given.get("asks", False),
    )


def files(code: str) -> tuple[str, ...]:
    """The pattern files of a language."""
    return ENGLISH if code == "en" else OTHERS


@cache
def calling() -> Calling:
    """The words of all languages of which a text must have one, or it names no time in words.

    They stand in a file of their own, made of those of each language: most texts name no time, and to read the words
    of four languages for that would cost 10 ms.
    """
    return Calling(_file("calling.txt").read_text(encoding="utf-8").splitlines())


def spoken(text: str, words: frozenset[str], languages: Sequence[str]) -> str:
    """The language that knows most of the words of a text; of several, the first. `words` has each of them once."""
    first, *others = languages
    left = words - lexicon(first).known
    rivals = [code for code in others if not lexicon(code).known.isdisjoint(left)]  # the others know no more of them
    if not rivals:
        return first
    said = WORD.findall(text.lower())
    return max((first, *rivals), key=lambda code: sum(map(lexicon(code).known.__contains__, said)))


@cache
def data(name: str) -> dict[str, Any]:
    """A data file as it stands, examples and all."""
    return tomllib.loads(_file(f"{name}.toml").read_text(encoding="utf-8"))


def _file(name: str) -> Traversable:
    return resources.files("noosphere.model.when").joinpath("data", *name.split("/"))
