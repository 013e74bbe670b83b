"""What a short text tells beyond the slot it fills: nothing, where two such texts say one thing in other words."""

from __future__ import annotations

import re
from functools import cache

from noosphere.graph.facts.rulebook import data
from noosphere.graph.facts.words import stem
from noosphere.graph.paraphrase import kin, statement, telling
from noosphere.model.slot import asked_by


def tells_only(text: str, subject: str, attribute: str, value: str) -> bool:
    """Whether a text says of a subject that its attribute has a value, and neither more nor less, in any words.

    Args:
        text: a memory's text.
        subject: whom or what it is about, as written.
        attribute: what it says of that.
        value: the value, as written.
    """
    said = statement(text)
    if said is None or said.foreign or said.negations:
        return False
    asked = asked_by(subject, attribute)
    named = _words(f"{subject} {value} {attribute} {asked} {_sayings().get(attribute, '')}") - _more()
    return all(any(word == one or kin(word, one) for one in named) for word in telling(said) - _news())


def _words(text: str) -> set[str]:
    words = re.findall(r"[\w.@+-]+", text.lower().replace("_", " "))
    return {form for word in words for form in (word, stem(word), *re.split(r"\W", word))} - {""}


@cache
def _sayings() -> dict[str, str]:
    return {one["attribute"]: one["words"] for one in data()["saying"]}


@cache
def _more() -> frozenset[str]:
    """The words in which one asks for a slot, and which say more than that it is filled."""
    return frozenset(form for word in data()["sole"]["more"].split() for form in (word, stem(word)))


@cache
def _news() -> frozenset[str]:
    """The words that say only that it holds now, or lead to a value."""
    return frozenset(f"{data()['sole']['now']} {data()['sole']['leads']}".split())
