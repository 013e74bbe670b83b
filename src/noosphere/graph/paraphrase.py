"""Whether two short texts say one thing in other words: the same content words, names, numbers, dates and negations.

It is strict, since of two texts that do only one is shown: a word more, another word or another order of who does what
to whom makes two of them. It knows forms of a word, and of synonyms and turns of phrase those that `wording` lists.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from noosphere.graph.likeness import OTHER_SCRIPT, data, negations, opposed, read

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_TEXT = 300  # characters: a longer text says more than one thing
LEAST_STEM = 3  # letters that two forms of one word share at least


class _Lists(NamedTuple):
    idle: frozenset[str]
    light: frozenset[str]
    anybody: frozenset[str]
    endings: frozenset[str]
    copula: frozenset[str]
    forms: dict[str, str]


class Statement(NamedTuple):
    """A short text, read to be compared; in a script whose words are not told apart, `words` are what spaces part."""

    text: str
    words: tuple[str, ...]
    whole: frozenset[str]
    names: tuple[tuple[str, bool], ...]  # whether only its place makes it one
    people: frozenset[str]
    negations: int
    beginnings: tuple[str, ...]  # of its content words, in order of the alphabet
    foreign: bool = False


def statement(text: str) -> Statement | None:
    """Read a text; None when it is too long to say one thing."""
    if len(text) > MAX_TEXT:
        return None
    if OTHER_SCRIPT.search(text):
        words = tuple(text.split())
        return Statement(text, words, frozenset(words), (), frozenset(), 0, words, foreign=True)
    return _statement(text, {})


def _statement(text: str, as_said: Mapping[str, bool]) -> Statement:
    """Read a text; `as_said` tells which of its words only their place made names before it was turned round."""
    found = read(text)
    names = tuple(
        (w, as_said.get(w, by_place)) for w, by_place in found.marked if w.isalpha() and w not in found.telling
    )
    who = _people()
    people = frozenset(who[word] for word in found.words if word in who)
    beginnings = tuple(sorted(word[:LEAST_STEM] for word in found.words if _tells(word)))
    return Statement(text, found.words, frozenset(found.words), names, people, found.negations, beginnings)


@lru_cache(maxsize=256)
def _reworded(one: Statement) -> Statement:
    """The same in the wording that stands for all that mean the same."""
    from noosphere.graph.wording import in_one_wording  # noqa: PLC0415  (its rules take a tenth of a second to read)

    return _statement(in_one_wording(one.text), dict(one.names))


def telling(one: Statement) -> set[str]:
    """Its content words: what says the same, or denies it, says a form of each."""
    return {word for word in one.words if _tells(word)}


def is_personal(one: Statement) -> bool:
    """Whether who says it is part of what it says: "I like tea"."""
    return bool(one.people - _anybody())


def restates(one: Statement, other: Statement) -> bool:
    """Whether two texts say one thing."""
    if one.foreign or other.foreign:
        return one.words == other.words
    return one.negations == other.negations and _of_one_content(one, other)


def _of_one_content(one: Statement, other: Statement) -> bool:
    """Whether two texts say the same of the same, if both said that it is so: as they stand, or in one wording."""
    if _agree(one, other):
        return True
    shared = len(set(one.beginnings) & set(other.beginnings))
    if 2 * shared + 1 < max(len(one.beginnings), len(other.beginnings)):
        return False  # another wording changes some of the words, and few of most
    return _agree(_reworded(one), _reworded(other))


def denies(one: Statement, other: Statement) -> bool:
    """Whether one text says that what the other says is not so, in the same words but for that."""
    if one.foreign or other.foreign or {one.negations, other.negations} != {0, 1}:
        return False
    return _of_one_content(one, other)


def _agree(one: Statement, other: Statement) -> bool:
    """Whether two readings have the same words, names and people, in an order that says the same."""
    if one.beginnings != other.beginnings:
        return False
    if _names(one, other) != _names(other, one) or opposed(one.whole, other.whole):
        return False
    pairs = _matched(one.words, other.words)
    return bool(pairs) and _same_people(one.people, other.people) and not _turned(one.words, other.words, pairs)


def _people_matched(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """The places of words for one person, the same words first: "my" is "my" before it is "me"."""
    who = _people()
    pairs: list[tuple[int, int]] = []
    for same in (True, False):
        for n, word in enumerate(one):
            if word in who and all(n != mine for mine, _ in pairs):
                taken = {theirs for _, theirs in pairs}
                fits = (p for p, w in enumerate(other) if p not in taken and who.get(w) == who[word])
                found = next((p for p in fits if not same or other[p] == word), None)
                if found is not None:
                    pairs.append((n, found))
    return pairs


def kin(one: str, other: str) -> bool:
    """Whether two words are forms of one."""
    if one == other:
        return True
    shared = 0
    for x, y in zip(one, other, strict=False):
        if x != y:
            break
        shared += 1
    if shared < LEAST_STEM or not (one.isalpha() and other.isalpha()):
        return False
    endings = _lists().endings | {""}
    rest = {one[shared:], other[shared:]}
    return rest <= endings and rest != {"", "e"}


def _names(one: Statement, other: Statement) -> list[str]:
    """The names of one in order; a first word is a name where the other has it as one."""
    sure = {word for word, by_place in other.names if not by_place}
    return [word for word, by_place in one.names if not by_place or word in sure]


def _same_people(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether both speak of the same people; "we" and "you" may stand for nobody in particular."""
    anybody = _anybody()
    return one == other or (not one and other <= anybody) or (not other and one <= anybody)


def _anybody() -> frozenset[str]:
    return frozenset(_people()[word] for word in _lists().anybody)


def _matched(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """The places of content words that are forms of one word; none when a word is left without one."""
    places = [n for n, word in enumerate(other) if _tells(word)]
    pairs: list[tuple[int, int]] = []
    for n, word in enumerate(one):
        if _tells(word):
            found = next((p for p in places if kin(word, other[p])), None)
            if found is None:
                return []
            places.remove(found)
            pairs.append((n, found))
    return [] if places else pairs


def _tells(word: str) -> bool:
    lists = _lists()
    return not (word in lists.idle or word in lists.light or word in _people() or word in negations())


def _turned(one: Sequence[str], other: Sequence[str], things: list[tuple[int, int]]) -> bool:
    """Whether two things or people change places around the same words: "dogs chase cats", "big cats are chasing dogs".

    Around a form of "to be" the parts of a sentence may change places, if not around the same words as they stand.
    """
    copula = _lists().copula
    loose = bool(copula & set(one)) and bool(copula & set(other))
    pairs = sorted([*things, *_people_matched(one, other)])
    if not loose and any(_flipped(thing, pairs) for thing in things):
        return True
    for n, (a, b) in enumerate(pairs):
        for later, earlier in pairs[n + 1 :]:
            if earlier < b:
                between = one[a + 1 : later], other[earlier + 1 : b]
                told = [[word for word in words if _tells(word)] for words in between]
                if _alike(*between) or (not loose and _alike(*told)):
                    return True
    return False


def _flipped(around: tuple[int, int], pairs: list[tuple[int, int]]) -> bool:
    """Whether one word moved from before this one to behind it, and another the other way."""
    at, there = around
    return any(a < at and b > there for a, b in pairs) and any(a > at and b < there for a, b in pairs)


def _alike(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether some words are forms of the others, one by one."""
    forms = _lists().forms
    return (
        bool(one)
        and len(one) == len(other)
        and all(kin(x, y) or forms.get(x, x) == forms.get(y, y) for x, y in zip(one, other, strict=True))
    )


@cache
def _lists() -> _Lists:
    given = data()["paraphrase"]
    lists = (frozenset(given[name].split()) for name in _Lists._fields if name != "forms")
    return _Lists(*lists, forms=_by_first(given["forms"]))


@cache
def _people() -> dict[str, str]:
    """The words for a person, each with the first of those that mean the same one."""
    return _by_first(data()["paraphrase"]["people"])


def _by_first(groups: Sequence[str]) -> dict[str, str]:
    """Each word of some groups, with the first of its group."""
    return {word: words[0] for group in groups if (words := group.split()) for word in words}
