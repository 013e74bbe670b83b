"""Readings: what a clause says of one thing, the same however it is said: by whom, in which voice, in which order.

"We host the docs on Netlify" and "the docs are hosted on Netlify" are one reading. A later one that tells news
overtakes an earlier one of the same thing, told in the same way, with another value of the same kind.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

from noosphere.graph.facts.clauses import clauses, plainly, sentences, with_subject
from noosphere.graph.facts.frames import NOWHERE
from noosphere.graph.facts.kinds_of_values import NUMBERS, families, kinds_in
from noosphere.graph.facts.renewals import ADVERBIAL, more, news, read_words
from noosphere.graph.facts.words import base, stem, verbs
from noosphere.model.persons import KIN
from noosphere.model.ways import Ways
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.graph.facts.kinds_of_values import Kind

PLACE, BE, STARTS = ("place", ""), ("be", ""), ("start", "")
BY = "beside"  # "by" and "beside" are one word in compare form
MOST_WORDS = 16  # of a clause
MOST_NAMED = 6  # words that name the thing
FEW = 2  # sentences of a statement that can be overtaken
PARTICLES = frozenset(["off", "up", "out", "down"])
SHORTEST = 3  # letters of a verb that ends in "s"
BROKEN = frozenset(["he", "she", "it", "you", "there", "that", "this", "who", "what", "which", "and", "or", "not"])
THEIRS = re.compile(r"\b(?:his|her|their|its|your|he|she)\b", re.IGNORECASE)
MINE = frozenset(["my", "i", "i'm", "i've"])
TIMED = frozenset({"time", "date"})
COUNTED = frozenset({"count", "number", "money", "nth"})
IT = re.compile(
    r"^(?:it|they)(?: now)?(?P<does>['’](?:s|re)\b| (?:is|are|has|leaves?|starts?|begins?|runs?|costs?|expires?|ends?|"
    r"closes?|opens?)\b)",
    re.IGNORECASE,
)
NAMED = re.compile(
    r"\b(?:the|our|my)(?: [\w-]+){1,3}?(?= (?:has|have|is|are|was|got|up|down|to|from|for|on|in|at|of)\b|$)",
    re.IGNORECASE,
)
HOUR = re.compile(rf"at (?:\d{{1,2}}|{'|'.join(NUMBERS)})(?: (?:on|every) .*)?$", re.IGNORECASE)
PRESENT = frozenset(["is", "are", "am", "s", "m", "re", "be"])


@dataclass(frozen=True, slots=True)
class Reading:
    """What is said of a thing.

    Attributes:
        about: the stems of what names the thing.
        how: the stem of what it does or is subject to, and what leads to the value.
        value: the value's stems.
        kinds: what the value is.
        own: whether the thing is told of as the speaker's.
        words: the words that name the thing, as written.
    """

    about: frozenset[str]
    how: tuple[str, str]
    value: tuple[str, ...]
    kinds: frozenset[Kind]
    own: bool
    words: str


class _Told(NamedTuple):
    """A clause in words, each in compare form and as written."""

    words: tuple[str, ...]
    shown: tuple[str, ...]
    clause: str


def new_readings(text: str) -> Iterator[Reading]:
    """What the sentences of a text that tell news say of things."""
    if not (_telling().meets(text) or news().meets(text)):
        return
    for start, stop in sentences(text):
        sentence = text[start:stop]
        if not (_telling().meets(sentence) or news().meets(sentence)):
            continue
        if not more().meets(sentence) and not _untold().meets(sentence):
            yield from _readings(sentence)


def tells_another_value(new: Reading, text: str) -> bool:
    """Whether a text says, in one of few sentences, what a reading says anew with another value."""
    told = [text[start:stop] for start, stop in sentences(text)]
    return len(told) <= FEW and any(
        _overtakes(new, old) for sentence in told if not _untold().meets(sentence) for old in _readings(sentence)
    )


def _overtakes(new: Reading, old: Reading) -> bool:
    return new.about == old.about and new.how == old.how and new.own == old.own and differ(new, old)


def differ(new: Reading, old: Reading) -> bool:
    """Whether two values are of one kind, and not one the other, told in more words."""
    held, said = frozenset(old.value), frozenset(new.value)
    return not (held <= said or said <= held) and _class(old) == _class(new)


def _class(one: Reading) -> tuple[str, ...]:
    """The kind of a value, as far as two values of one thing have to be of one."""
    if one.how[1] == BY:
        return ("agent",)
    if one.how == PLACE:
        return ("place",)
    kinds = {kind.is_a for kind in one.kinds}
    if kinds & TIMED or (one.how[1] == "at" and (one.value[0] in NUMBERS or one.value[0][0].isdigit())):
        return ("timed", *sorted(kinds & TIMED or {"time"}))
    measured = sorted({kind.of for kind in one.kinds if kind.is_a in COUNTED})
    measured = measured or [family for word in one.value[:1] if (family := families().get(word))]  # "after a year"
    return ("measured", *measured) if measured else ("other",)


def said_of(text: str) -> Iterator[Reading]:
    """What the sentences of a short text say of things, plain states among it."""
    told = [text[start:stop] for start, stop in sentences(text)]
    if len(told) <= FEW:
        for sentence in told:
            if not _untold().meets(sentence):
                yield from _readings(sentence, states=True)


def _readings(sentence: str, *, states: bool = False) -> Iterator[Reading]:
    """Every reading of the clauses of a sentence; "it" at the start of one may be any thing that was named before."""
    named: list[str] = []
    for part in clauses(sentence):
        whole = with_subject(part.text, "I") if part.lost else part.text
        clause = ADVERBIAL.sub(" ", _tail().sub("", plainly(whole)))
        it = IT.match(clause)
        for filled in [clause] if it is None else [thing + clause[it.start("does") :] for thing in named]:
            yield from _of_clause(filled, states=states)
        named += [match[0] for match in NAMED.finditer(clause)]


def _of_clause(clause: str, *, states: bool) -> Iterator[Reading]:
    pairs = list(read_words(clause))
    if 2 < len(pairs) <= MOST_WORDS and THEIRS.search(clause) is None:  # noqa: PLR2004  (a thing, a verb, a value)
        told = _Told(tuple(w for w, _ in pairs), tuple(s for _, s in pairs), clause)
        found = _of_somebody(told) or _of_itself(told, states=states)
        if found is not None:
            yield found


def _of_somebody(told: _Told) -> Reading | None:
    """Read what somebody does with a thing: "we host the docs on Netlify", "Dana reviews the patches"."""
    if told.words[0] == "we" or told.words[0] in _set("anybody"):
        return _of_us(told)
    if told.words[0] != "the" and not told.shown[0][:1].isupper():
        return None
    at = _verb(told)
    if at is None or told.words[at] == "be" or not told.shown[at].endswith("s"):
        return None
    verb = _key(told.shown[at])
    at += told.words[at + 1 : at + 2] != () and told.words[at + 1] in PARTICLES
    if verb in _keys("several") or told.words[at + 1 : at + 2] != ("the",):
        return None
    return _reading(told, slice(at + 1, None), (verb, BY), slice(0, at))


def _of_us(told: _Told) -> Reading | None:
    """Read what the speaker, or nobody in particular, does with a thing."""
    words, verb = told.words, _key(told.shown[1])
    at = next((n for n in range(3, len(words)) if words[n] in _set("leads")), None)
    if at is None or verb in _keys("several") or words[1] == "be" or not _is_plain(told.shown[1]):
        return None
    how = PLACE if verb in _keys("placing") and _is_place(told, at) else (verb, words[at])
    return _reading(told, slice(2, at), how, slice(at + 1, None), mine=told.shown[0].lower() == "i")


def _of_itself(told: _Told, *, states: bool) -> Reading | None:
    """Read what a thing is or does: "the docs are hosted on Netlify", "the key rotates every 90 days"."""
    words = told.words
    at = _verb(told)
    if at is None or at > MOST_NAMED:
        return None
    if words[at] != "be":
        lead = words[at + 1] if len(words) > at + 2 else ""
        verb = _key(told.shown[at])
        if lead not in _set("leads") or verb in _keys("several") or not _is_plain(told.shown[at]):
            return None
        how = PLACE if verb in _keys("placing") and _is_place(told, at + 1) else (verb, lead)
        how = STARTS if verb in _keys("starting") and _is_timed(told, at + 1) else how
        return _reading(told, slice(0, at), how, slice(at + 2, None))
    if told.shown[at].lower() not in PRESENT:
        return None
    return _of_state(told, at, plain=states)


def _of_state(told: _Told, at: int, *, plain: bool) -> Reading | None:
    """Read what a thing is: at a place, subject to something, or of a value that can be told apart by its kind."""
    words, rest = told.words, told.words[at + 1 :]
    if len(rest) > 1 and rest[0] in _set("leads"):
        how = STARTS if _is_timed(told, at + 1) else PLACE if _is_place(told, at + 1) and _is_thing(told, at) else None
        return _reading(told, slice(0, at), how or ("be", rest[0]), slice(at + 2, None)) if how or plain else None
    done = told.shown[at + 1] if rest else ""
    lead = next((n for n in (at + 2, at + 3) if n < len(words) and words[n] in _set("leads")), None)
    if lead is not None and _is_done(done):
        verb = _key(done)
        how = PLACE if verb in _keys("placing") and _is_place(told, lead) else (verb, words[lead])
        return _reading(told, slice(0, at), how, slice(lead + 1, None))
    found = _reading(told, slice(0, at), BE, slice(at + 1, None))
    return found if found is not None and (plain or (found.kinds and _class(found) != ("other",))) else None


def _reading(told: _Told, thing: slice, how: tuple[str, str], value: slice, *, mine: bool = False) -> Reading | None:
    named = [w for w in told.words[thing] if w not in _set("leads") and w not in ("the", "of", "we")]
    held = tuple(w for w in told.words[value] if w not in ("the", "be"))
    if not named or not held or not BROKEN.isdisjoint(told.words[thing]) or len(named) > MOST_NAMED:
        return None
    own = mine or not MINE.isdisjoint(told.clause.lower().replace("’", "'").split())
    shown = " ".join(s for w, s in zip(told.words[thing], told.shown[thing], strict=True) if w in named)
    value_shown = " ".join(told.shown[value])
    return Reading(frozenset(named), how, held, kinds_in(value_shown), own, shown)


def _verb(told: _Told) -> int | None:
    """Where the verb stands: a form of "to be", or the first known verb behind what names the thing."""
    words, shown = told.words, told.shown
    least = 2 if words[0] == "the" else 1
    if "be" in words[least : MOST_NAMED + 1]:
        return words.index("be", least)  # "the wall texts for the hall are late": a noun that can be a verb
    for n in range(least, min(len(words) - 1, MOST_NAMED + 1)):
        if words[n] in _set("leads") and n == least:
            continue
        key = _key(shown[n])
        if (
            key in _verb_keys()
            and (shown[n].lower().endswith("s") or shown[n - 1].lower().endswith("s"))
            and shown[n].islower()
        ):
            return n
    return None


def _is_place(told: _Told, at: int) -> bool:
    """Whether what stands behind "in" or the like is where something is."""
    where = " ".join((told.shown[at], *told.shown[at + 1 :]))
    timed = any(kind.is_a in TIMED or kind.is_a == "money" for kind in kinds_in(where))
    return told.words[at] in _set("places") and not timed and NOWHERE.match(where) is None


def _is_thing(told: _Told, at: int) -> bool:
    """Whether a clause names what it is about as a thing of its own: people are in several places, as it were."""
    return told.words[0] == "the" or told.shown[0][:1].islower() or (at > 1 and told.shown[at - 1][:1].islower())


def _is_timed(told: _Told, at: int) -> bool:
    """Whether a day or an hour stands behind "on" or "at"."""
    value = " ".join(told.shown[at:])
    return any(kind.is_a in TIMED for kind in kinds_in(value)) or (
        told.words[at] == "at" and HOUR.match(value) is not None
    )


def _is_plain(verb: str) -> bool:
    """Whether a verb is told of the present: "keep", "keeps"."""
    low = verb.lower()
    return not low.endswith(("ed", "ing")) and base(low) == low


def _is_done(word: str) -> bool:
    """Whether a word says what is done to a thing: "hosted", "kept"."""
    low = word.lower()
    return (low.endswith("ed") and len(low) > SHORTEST + 1) or (stem(low) != low and stem(low) in verbs())


def _key(verb: str) -> str:
    """A verb without the ending it may have, and without what spelling does before one: "merged" is "merg"."""
    plain = stem(verb)
    for ending in ("ies", "es", "s", "ed", "ing"):
        if plain.endswith(ending) and not plain.endswith("ss") and len(plain) > len(ending) + 2:
            plain = plain.removesuffix(ending)
            break
    plain = plain.removesuffix("e")
    return plain[:-1] if len(plain) > SHORTEST and plain[-1] == plain[-2] and plain[-1] not in "sl" else plain


@cache
def readings_data() -> dict[str, Any]:
    """The words of readings, with pairs of statements."""
    file = resources.files("noosphere.graph.facts").joinpath("rules", "readings.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def _set(name: str) -> frozenset[str]:
    return frozenset(stem(word) for word in readings_data()["readings"][name].split())


@cache
def _keys(name: str) -> frozenset[str]:
    return frozenset(_key(word) for word in readings_data()["readings"][name].split())


@cache
def _verb_keys() -> frozenset[str]:
    return _keys("verbs") | {_key(verb) for verb in verbs()} - KIN


@cache
def _telling() -> Ways:
    return Ways([readings_data()["telling"]["news"]])


@cache
def _untold() -> Ways:
    return Ways([readings_data()["telling"]["no_news"]])


@cache
def _tail() -> re.Pattern[str]:
    return re.compile(readings_data()["telling"]["tail"], re.IGNORECASE)
