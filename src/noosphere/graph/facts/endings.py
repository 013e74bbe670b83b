"""Endings: sentences that say something known is over, in its own words: "no longer ships to Norway"."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from noosphere.graph.facts.changes import found_changes
from noosphere.graph.facts.clauses import clauses, plainly, sentences, with_subject
from noosphere.graph.facts.frames import AFTER
from noosphere.graph.facts.readings import new_readings
from noosphere.graph.facts.renewals import renewing
from noosphere.graph.facts.rulebook import data
from noosphere.graph.facts.short_is import spelled_out
from noosphere.graph.facts.subjects import person, thing
from noosphere.graph.facts.when import without_times
from noosphere.model.late import Late
from noosphere.model.needs import Needs, needs_of
from noosphere.model.ways import Ways
from noosphere.model.worded import worded
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from noosphere.graph.facts.changes import Change
    from noosphere.graph.facts.readings import Reading
    from noosphere.graph.facts.renewals import Compared


@dataclass(frozen=True, slots=True)
class Ending:
    """That a statement is over.

    Attributes:
        owner: whom the statement is about: "user", a speaker, a name; None when `words` say it.
        words: what the statement said: all of these words stand in it.
        more: words of which it holds one too; empty when `words` are enough.
        left: whether it names what was left for something else, which "my …" may have been.
        kind: "denied" when what is over is that it did not hold; "service" when it names only what was taken up
            instead, and the one thing of that kind is over.
        said: the clause that says a statement anew, but for one stretch; its own words are `words`.
        change: that something is another now, which says itself what it overtakes; `words` are those to look it up by.
        reading: what it says of a thing, of which the statement said another value; `words` name the thing.
    """

    owner: str | None
    words: str
    more: str = ""
    left: bool = False
    said: Compared | None = None
    kind: str | None = None
    change: Change | None = None
    reading: Reading | None = None


MAX_TEXT = 2_000  # characters: an ending is said shortly
WHO = r"(?P<who>[\w'’.&/-]+(?: [\w'’.&/-]+){0,6}?)"
FIRST = frozenset(["i", "we", "i'm", "we're", "i've", "we've"])
VAGUE = re.compile(
    r"^(?:know|think|care|remember|want|need|feel|see|understand|mind|believe|it|that|this|so|sure|exist|matter|"
    r"work)\b",
    re.IGNORECASE,
)
LITTLE = frozenset(
    [
        "a",
        "all",
        "also",
        "am",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "by",
        "can",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "he",
        "her",
        "here",
        "him",
        "his",
        "i",
        "in",
        "is",
        "it",
        "its",
        "just",
        "me",
        "more",
        "my",
        "no",
        "not",
        "now",
        "of",
        "on",
        "or",
        "our",
        "she",
        "so",
        "some",
        "still",
        "that",
        "the",
        "their",
        "them",
        "there",
        "these",
        "they",
        "this",
        "those",
        "to",
        "too",
        "us",
        "very",
        "was",
        "we",
        "were",
        "will",
        "with",
        "would",
        "your",
    ]
)
WORD = re.compile(r"[\w'’-]+(?:\.\w+)*")
NAME = re.compile(r"(?<!^)\b[A-Z][\w-]+")


@dataclass(frozen=True, slots=True)
class _Form:
    """A way to say that something is over; its fields are those of the data file."""

    pattern: Late
    over: tuple[str, ...]
    some: tuple[str, ...]
    left: bool
    service: bool


def found_endings(text: str, speaker: str = "user", said_at: datetime | None = None) -> list[Ending]:
    """What a text says is over, in order; the words are those of the statement that it ends."""
    text = spelled_out(text[:MAX_TEXT])
    found = [Ending(speaker if one.own else None, one.telling, said=one) for one in renewing(text)]
    found += [Ending(speaker if one.own else None, one.words, change=one) for one in found_changes(text)]
    found += [Ending(speaker if one.own else None, one.words, reading=one) for one in new_readings(text)]
    if not _may_end(text):
        return found
    told = [text[start:end] for start, end in sentences(text)]
    return [*(ending for sentence in told if _may_end(sentence) for ending in _of(sentence, speaker, said_at)), *found]


def _may_end(text: str) -> bool:
    return bool(_forms()[1].open(worded(text))) or again().meets(text)


def denies(text: str) -> bool:
    """Whether a text says that something does not hold."""
    return DENIES.search(text) is not None


def content(words: str) -> str:
    """The words that carry meaning."""
    kept = (re.sub(r"['’]s?$", "", word) for word in WORD.findall(words))
    return " ".join(word for word in kept if word.lower() not in LITTLE)


def _of(sentence: str, speaker: str, said_at: datetime | None) -> Iterator[Ending]:
    if sentence.rstrip().endswith("?"):
        return
    formed = bool(_forms()[1].open(worded(sentence)))
    lost = "I"
    for clause, bare, _ in clauses(sentence):
        whole = with_subject(clause, lost) if bare else clause
        if not bare:
            lost = "they" if FIRST.isdisjoint(clause.lower().split()[:1]) else "I"
        if not formed and not again().meets(whole):
            continue
        plain = plainly(without_times(whole, said_at)[1])
        ending = (_over(plain, speaker, sentence) if formed else None) or _once_more(plain, speaker)
        if ending is not None and (ending.words or ending.kind):
            yield ending


def _over(clause: str, speaker: str, sentence: str) -> Ending | None:
    """What a clause says is over, by the first form that covers it."""
    forms, needs = _forms()
    for n in needs.open(worded(clause)):
        form = forms[n]
        pattern = form.pattern.compiled
        match = pattern.fullmatch(clause) or pattern.fullmatch(AFTER_KEEPING_INSTEAD.sub("", clause))
        if match is not None and UNSURE.search(clause) is None:
            return _ending(form, match.groupdict(), speaker, sentence)
    return None


def _ending(form: _Form, said: dict[str, str | None], speaker: str, sentence: str) -> Ending | None:
    who = SHORT_HAVE.sub("", said.get("who") or "")
    if form.service:
        owner = speaker if who.lower() == "we" else person(who, speaker, None)
        return None if owner is None else Ending(owner, "", kind="service")
    told = [_named(said.get(name) or "") for name in form.over]
    if any(VAGUE.match(words) for words in told):
        return None
    more = " ".join(content(said[name] or "") if name in said else name for name in form.some)
    if (owned := OWNED.match((said.get("thing") or "").strip())) is not None and owned[1].lower() in OURS:
        who, told = owned[0], told[1:]  # "I moved the accounts from Sage to Xero": it is about the accounts
    elif owned is None:
        told = [words for name, words in zip(form.over, told, strict=True) if name != "thing"]
    return _about(who, " ".join(told), speaker, sentence, more, left=form.left)


def _named(words: str) -> str:
    """What is over, without what is told of it by the way: "the blue one" is "the blue"."""
    return ONE.sub("", AFTER_KEEPING_INSTEAD.sub("", AFTER.sub("", words)))


def _once_more(clause: str, speaker: str) -> Ending | None:
    """Read "the lift works again": that it did not is over."""
    if not again().meets(clause) or DENIES.search(clause) is not None:
        return None
    words = content(AGAIN.sub(" ", AFTER_KEEPING_INSTEAD.sub("", clause)))
    first = clause.split(maxsplit=1)[0].lower()
    if len(words.split()) < 2:  # noqa: PLR2004  ("again" alone is about anything)
        return None
    return Ending(speaker if first in FIRST else None, words, kind="denied")


AGAIN = re.compile(r"\b(?:again|once more|now|at last|finally|by now)\b", re.IGNORECASE)
DENIES = re.compile(
    r"n['’]t\b|\b(?:not|no|no longer|never|cannot|stopped|quit|gave up|broken|out of order)\b", re.IGNORECASE
)
SHORT_HAVE = re.compile(r"['’](?:ve|s|m|re)$")
AFTER_KEEPING_INSTEAD = re.compile(
    r"(?:,(?!\d)|[;:(!?]| [-–—]+ |\s(?:because|since|so|but|although|though|while|when|if|after (?:that|the|my|our|his|"
    r"her|their|a)|following|ever since)\b).*$"
)
UNSURE = re.compile(
    r"\b(?:might|may|maybe|perhaps|would|could|should|want|wants|plan|plans|planning|hopes?|hoping|thinking|dreams?|"
    r"considering|tempted|if|whether|said|says|asked|almost|nearly|(?:has|have|had) (?:not|never)|will never|"
    r"never will)\b|"
    r"(?:has|have|had|did|would|will)n['’]t (?!stick\b|catch on\b|.*\b(?:any ?more|any longer)\b)",
    re.IGNORECASE,
)
ONE = re.compile(r" ones?$", re.IGNORECASE)
OWNED = re.compile(r"(my|our|the|his|her|its|their) .+", re.IGNORECASE)
OURS = frozenset(["my", "our", "the"])
NOBODY = frozenset(["they", "it", "that", "this", "there", "you", "who", "which"])


def _about(who: str, what: str, speaker: str, sentence: str, more: str, *, left: bool) -> Ending | None:
    low = who.lower().replace("’", "'")
    if low in FIRST:
        return Ending(speaker, content(what), more, left=left)
    if low in ("he", "she"):
        names = " ".join(name for name in NAME.findall(sentence))
        return Ending(None, content(what), names) if names else None
    if low and low.split()[0] in NOBODY:
        return None
    known = "" if not who else person(who, speaker, None) or thing(who, speaker, None)
    return None if known is None else Ending(None, f"{content(known)} {content(what)}".strip(), more, left=left)


@cache
def _forms() -> tuple[tuple[_Form, ...], Needs]:
    """Every form in the order they are tried, and what a text must hold for each."""
    given = data()["ending"]
    forms = tuple(
        _Form(
            Late(one["form"].replace("{who}", WHO)),
            tuple(one["over"]),
            tuple(one.get("some", ())),
            one.get("left", False),
            one.get("service", False),
        )
        for one in given
    )
    return forms, Needs(needs_of(one["form"].replace("{who}", "(?:.*)")) for one in given)


@cache
def again() -> Ways:
    """What says that something holds once more."""
    return Ways([AGAIN.pattern])


def late_words() -> str:
    """The words of which one stands in what says that an earlier memory is over."""
    return data()["late"]["words"]


@cache
def is_service(attribute: str) -> bool:
    """Whether an attribute says which service somebody goes with."""
    return re.fullmatch(data()["service"]["attributes"], attribute) is not None
