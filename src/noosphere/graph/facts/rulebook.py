"""The rules of facts, read from data: forms over a clause, found by the words that call for them."""

from __future__ import annotations

import re
import tomllib
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Any

from noosphere.model.needs import Need, Needs, need_of_words, needs_of
from noosphere.model.ways import Ways
from noosphere.model.worded import worded
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

NAMED = r"[\w'’.&-]+(?: [\w'’.&-]+){0,3}?"
WHAT = r"[\w'’.&/#-]+(?: [\w'’.&/#-]+){0,5}?"
MACROS = {
    "who": rf"(?P<who>{NAMED})",
    "whose": rf"(?P<who>my|our|his|her|their|{NAMED}['’]s|{NAMED}s['’])",
    "thing": rf"(?P<thing>{WHAT})",
    "v": r"(?P<v>\S.*?)",
    "be": r"(?:is|are|am|be|was|were|['’]s|['’]re|['’]m|will be|has been|have been)",
    "adv": r"(?: (?:now|currently|actually|still|also|just|really|officially|finally|recently|already|always|only|both|"
    r"temporarily|formally|since|as well|mostly|mainly|primarily|these days|at the moment|again|once more))*",
    "have": r"(?: have| has| had|['’]ve|['’]s|['’]d)?",
    "end": r"(?:(?= (?:because|since|so|but|although|though|while|after|before|when|which|who|where|if|until|till|"
    r"as of|in place of|instead of|rather than|after all|starting|effective|instead|anymore|any more|any longer|"
    r"these days|at the moment|right now|for now|nowadays|"
    r"for good|permanently|temporarily|thanks to|due to|every|per|and (?:I|we|he|she|it|they|am|is|has|have|will|now|"
    r"love|loves|moved|started|it['’]s|I['’]m))\b|,(?!\d)|[;:(]| [-–—] )|$)",
}
MACRO = re.compile(r"\{(\w+)\}")
FILES = (
    "purposes",
    "places",
    "work",
    "people",
    "tastes",
    "things",
    "kinds",
    "frames",
    "verbs",
    "corrections",
    "idioms",
    "endings",
    "spoken",
    "consequences",
)  # tried in order


@dataclass(frozen=True)
class Form:
    """One way of saying a fact, matched from the start of a clause."""

    source: str
    ends: bool  # says that the value no longer holds
    past: bool  # says that it held once

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern, compiled when first needed."""
        return re.compile(MACRO.sub(lambda m: MACROS[m[1]], self.source) + MACROS["adv"] + MACROS["end"], re.IGNORECASE)

    @property
    def needs(self) -> tuple[Need, ...]:
        """What a clause must hold for the form to match; what a macro stands for may be anything."""
        return needs_of(MACRO.sub("(?:.*)", self.source))


@dataclass(frozen=True, slots=True)
class Rule:
    """How one attribute is said.

    Attributes:
        id: unique.
        attribute: what is filled; "{noun}" in it stands for the form's group `noun`.
        value: what a value must look like: name, place, date, number or phrase.
        fixed: the value, when the form itself says it.
        one: whether it names the only value, whatever its attribute.
        renews: whether it does so when its sentence says that something has changed.
        more: whether a clause that meets it may say something else too.
        about: who it is about where its forms do not say: "I", or "they" for who was named.
        on: words of which a clause must hold one.
        forms: the ways to say it, in the order they are tried: what ends a value, what held once, what holds.
        yes: (text, subject, attribute, value) that the rule finds.
        no: texts in which it finds nothing.
    """

    id: str
    attribute: str
    value: str
    fixed: str | None
    one: bool
    renews: bool
    more: bool
    about: str
    on: tuple[str, ...]
    forms: tuple[Form, ...]
    yes: tuple[tuple[str, ...], ...]
    no: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All rules in their order, and what calls for them.

    Attributes:
        on: the words of each rule of which a clause must hold one.
        ways: the number of its rule and the form itself, for every form of every rule.
        needs: what a text must hold for each of the ways.
    """

    rules: tuple[Rule, ...]
    on: tuple[frozenset[str], ...]
    ways: tuple[tuple[int, Form], ...]
    needs: Needs

    def called(self, words: set[str], ways: dict[int, list[Form]]) -> list[int]:
        """Those of the rules of some forms that a clause with these words calls for, in order."""
        return [n for n in ways if not self.on[n].isdisjoint(words)]

    def open(self, text: str) -> dict[int, list[Form]]:
        """The forms that can match in a text, by the numbers of their rules."""
        return self._by_rule(self.needs.open(worded(text)))

    def among(self, held: int) -> dict[int, list[Form]]:
        """The same for a text that holds these pieces."""
        return self._by_rule(self.needs.among(held))

    def _by_rule(self, ways: Iterable[int]) -> dict[int, list[Form]]:
        found: dict[int, list[Form]] = {}
        for n in ways:
            rule, form = self.ways[n]
            found.setdefault(rule, []).append(form)
        return found


@cache
def rulebook() -> Rulebook:
    """Read the rules, once."""
    rules = tuple(_rule(given) for given in data()["rule"])
    ways = tuple((n, form) for n, rule in enumerate(rules) for form in rule.forms)
    needs = Needs((*need_of_words(rules[n].on), *form.needs) for n, form in ways)
    return Rulebook(rules, tuple(frozenset(rule.on) for rule in rules), ways, needs)


def updates(sentence: str) -> bool:
    """Whether a sentence says that something has changed."""
    return _update().meets(sentence)


@cache
def _update() -> Ways:
    return Ways([data()["update"]["form"]])


def is_gone(status: str) -> bool:
    """Whether a status says that a thing is over for good."""
    return _gone().match(status) is not None


@cache
def _gone() -> re.Pattern[str]:
    return re.compile(rf"(?:{data()['gone']['values']})\b", re.IGNORECASE)


@cache
def data() -> dict[str, Any]:
    """The rule files as they stand, one after the other."""
    folder = resources.files("noosphere.graph.facts").joinpath("rules")
    merged: dict[str, Any] = {}
    for name in FILES:
        for key, given in tomllib.loads(folder.joinpath(f"{name}.toml").read_text(encoding="utf-8")).items():
            merged[key] = [*merged[key], *given] if key in merged else given
    return merged


@cache
def changes() -> dict[str, Any]:
    """The forms of changes, with their words."""
    file = resources.files("noosphere.graph.facts").joinpath("rules", "changes.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _rule(given: dict[str, Any]) -> Rule:
    forms = [Form(f, ends=False, past=False) for f in given.get("is", ())]
    forms += [Form(f, ends=True, past=False) for f in given.get("ends", ())]
    forms += [Form(f, ends=False, past=True) for f in given.get("was", ())]
    forms.sort(key=lambda form: (not form.ends, not form.past))
    return Rule(
        id=given["id"],
        attribute=given["attribute"],
        value=given.get("value", "phrase"),
        fixed=given.get("fixed"),
        one=given.get("one", False),
        renews=given.get("renews", False),
        more=given.get("more", False),
        about=given.get("about", ""),
        on=tuple(given["on"]),
        forms=tuple(forms),
        yes=tuple(tuple(example) for example in given["yes"]),
        no=tuple(given["no"]),
    )
