"""The rules of screening, read from data: the vocabulary, phrases over it, and forms."""

from __future__ import annotations

import re
import tomllib
from codecs import encode
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

from noosphere.guard.fold import fold
from noosphere.guard.phrases import Phrase, parse
from noosphere.model.literals import Literals
from noosphere.model.needs import Sought

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

RUN = "\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff"  # letters of scripts without spaces, and Hangul

SCRAMBLED = 6  # letters from which a word is read with its inner letters in any order
TELLING = 6  # letters of a word that is hardly a word by chance when it is turned round


@dataclass(frozen=True)
class Form:
    """A pattern over the folded text, tried only where one of its literals stands in it."""

    literals: tuple[str, ...]
    pattern: str
    cased: bool = False  # whether it is read from the text as written

    @cached_property
    def compiled(self) -> Sought:
        """The pattern, compiled when first needed."""
        return Sought(re.compile(self.pattern))


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: what it is called, why it matters, what it weighs, and what meets it."""

    id: str
    family: str
    reason: str
    weight: float
    phrases: tuple[Phrase, ...] = ()
    forms: tuple[Form, ...] = ()
    unless: frozenset[str] = frozenset()


class Seen(NamedTuple):
    """What a look at one word shows.

    Attributes:
        layered: whether it may be part of a text in code.
        turned: whether it is a word of the rules turned round.
        odd: whether it may stand for other words.
        means: the words of the rules that it is read as, when it is none itself.
    """

    layered: bool = False
    turned: bool = False
    odd: bool = False
    means: tuple[str, ...] = ()


PLAIN = Seen()


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Every rule, indexed by what finds it.

    Attributes:
        fills: the words that fill each element of a phrase.
        vocabulary: all of these words.
        keys: for each word that fills a marked element, which ones: a text with none of them says no phrase.
        keyed: by marked element, the phrases it finds and their rules.
        elements: for each word of the vocabulary, the elements it fills, a bit each.
        phrases: for each marked element, a bit as well, those of all elements of each phrase it finds.
        literals: tells which forms a text can meet.
        attacks: words of a text that speaks of attacks.
        threats: those of them that ordinary talk does not hold.
        reports: words that say what somebody else says.
        addressed: words for the reader.
        plain: words that are what they seem and say nothing by themselves: those looked at before, and most of ours.
        seen: the other words looked at before.
        turned: long key words backwards and rotated by half the alphabet.
        scrambled: long words by their first and last letter and their inner letters in order.
        run: cuts a run of such a script into words, longest first; any other letter stands by itself.
    """

    version: str
    rules: Mapping[str, Rule]
    fills: Mapping[str, frozenset[str]]
    vocabulary: frozenset[str]
    keys: Mapping[str, tuple[str, ...]]
    keyed: Mapping[str, tuple[tuple[Rule, Phrase], ...]]
    run: re.Pattern[str]
    forms: tuple[tuple[Rule, Form], ...]
    literals: Literals
    turned: frozenset[str]
    scrambled: Mapping[str, str]
    elements: Mapping[str, int]
    phrases: Mapping[int, tuple[int, ...]]
    marked: int
    attacks: frozenset[str]
    threats: frozenset[str]
    reports: frozenset[str]
    addressed: frozenset[str]
    plain: set[str] = field(default_factory=set[str], compare=False)
    seen: dict[str, Seen] = field(default_factory=dict[str, Seen], compare=False)

    def may_say(self, words: Iterable[str]) -> bool:
        """Whether all the elements of some phrase are among these words of the vocabulary, in whatever order."""
        there = 0
        for word in words:
            there |= self.elements[word]
        marked = there & self.marked
        while marked:
            key = marked & -marked
            marked ^= key
            for wanted in self.phrases[key]:
                if wanted & there == wanted:
                    return True
        return False


FAMILIES = ("override", "extraction", "gate", "impersonation", "action", "persona", "persistence", "hidden")
VERSION = 8  # characters of the digest that names the rules


@cache
def rulebook() -> Rulebook:
    """The rules in force, read when first asked."""
    folder = resources.files("noosphere.guard")
    texts = [folder.joinpath("rules", f"{name}.toml").read_text(encoding="utf-8") for name in FAMILIES]
    words = folder.joinpath("words.toml").read_text(encoding="utf-8")
    version = sha256("\n".join([*texts, words]).encode()).hexdigest()[:VERSION]
    return load([tomllib.loads(text) for text in texts], tomllib.loads(words), version)


def load(families: Iterable[Mapping[str, Any]], vocabulary: Mapping[str, Mapping[str, str]], version: str) -> Rulebook:
    """Put rules together.

    Raises:
        ValueError: a phrase is not well formed.
        KeyError: a phrase names a class that the vocabulary lacks.
    """
    found = {entry["id"]: _rule(entry, data["family"]) for data in families for entry in data["rule"]}
    classes = {name: frozenset(fold(" ".join(by.values())).split()) for name, by in vocabulary.items()}
    said = [(rule, phrase) for rule in found.values() for phrase in rule.phrases]
    fills = {element: _words(element, classes) for _, phrase in said for element in phrase.elements}
    keyed: dict[str, list[tuple[Rule, Phrase]]] = defaultdict(list)
    keys: dict[str, set[str]] = defaultdict(set)
    for rule, phrase in said:
        keyed[phrase.key].append((rule, phrase))
        for word in fills[phrase.key]:
            keys[word].add(phrase.key)
    every = frozenset(word for words in fills.values() for word in words)
    bits = {element: 1 << n for n, element in enumerate(sorted(fills))}
    in_runs = sorted((w for w in every if re.match(f"[{RUN}]", w)), key=lambda w: (-len(w), w))
    return Rulebook(
        version=version,
        rules=found,
        fills=fills,
        vocabulary=every,
        keys={word: tuple(sorted(held)) for word, held in keys.items()},
        keyed={key: tuple(entries) for key, entries in keyed.items()},
        run=re.compile("|".join([*in_runs, "."])),
        forms=tuple((rule, form) for rule in found.values() for form in rule.forms),
        literals=Literals(form.literals for rule in found.values() for form in rule.forms),
        turned=_turned(keys) - every,
        scrambled={shape(w): w for w in sorted(every) if w.isascii() and w.isalpha() and len(w) >= SCRAMBLED},
        elements=_elements(fills, bits),
        phrases={
            bits[key]: tuple({sum(bits[element] for element in set(phrase.elements)) for _, phrase in entries})
            for key, entries in keyed.items()
        },
        marked=sum(bits[key] for key in keyed),
        attacks=classes.get("attacks", frozenset()),
        threats=classes.get("threats", frozenset()),
        reports=classes.get("reports", frozenset()),
        addressed=classes.get("addressed", frozenset()),
    )


def _elements(fills: Mapping[str, frozenset[str]], bits: Mapping[str, int]) -> dict[str, int]:
    """For every word of the vocabulary, the bits of the elements it fills."""
    found: dict[str, int] = defaultdict(int)
    for element, words in fills.items():
        for word in words:
            found[word] |= bits[element]
    return dict(found)


def shape(word: str) -> str:
    """What a reader sees of a long word at a glance: its ends, and its other letters in no order."""
    return word[0] + "".join(sorted(word[1:-1])) + word[-1]


def _turned(words: Iterable[str]) -> frozenset[str]:
    long = [word for word in words if word.isascii() and len(word) >= TELLING]
    return frozenset(turned for word in long for turned in (word[::-1], encode(word, "rot13")))


def _words(element: str, classes: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The words of an element: alternatives, some of which may be classes."""
    parts = element.split("|")
    return frozenset(w for part in parts for w in (classes[part[1:]] if part.startswith("@") else [part]))


def _rule(entry: Mapping[str, Any], family: str) -> Rule:
    return Rule(
        id=entry["id"],
        family=entry.get("family", family),
        reason=entry["reason"],
        weight=entry["weight"],
        phrases=tuple(parse(fold(said)) for said in entry.get("says", ())),
        forms=tuple(Form(tuple(f["with"]), f["form"], f.get("cased", False)) for f in entry.get("forms", ())),
        unless=frozenset(fold(entry.get("unless", "")).split()),
    )
