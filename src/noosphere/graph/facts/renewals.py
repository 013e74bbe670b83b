"""Renewals: a clause that says anew what an earlier one said, but for one stretch: "on the day shift", now "the night".

Both are read as who, verb and rest. A clause renews another when it says that something has changed, has the same
subject and verb, shares a word of the rest, and differs in one stretch of the same kind.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from noosphere.graph.facts.clauses import clauses, plainly, sentences
from noosphere.graph.facts.rulebook import data
from noosphere.model.ways import Ways
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 14  # words of a clause that is compared; a longer one tells a story
STRETCH = 4  # words in which two clauses differ
TAIL = 4  # words that one clause has more at its end
WORD = re.compile(r"[\w$€£%+-]+(?:[.:/'’][\w]+)*")
SHORT = re.compile(r"['’](m|s|re|ve|ll|d)$", re.IGNORECASE)
LONG = {"m": "be", "s": "be", "re": "be", "ve": "have", "ll": "will", "d": "would"}
ADVERBIAL = re.compile(
    r"\b(?:these days|at present|from now on|from today(?: on)?|as of (?:now|today|this \w+|\w+(?: \d{4})?)|"
    r"at the moment|for now|right now|this (?:year|season|term|month|week)|any ?more|"
    r"until (?:further notice|the end.*|next \w+|\d{1,2} \w+(?: \d{4})?|\w+ \d{1,2}(?:, \d{4})?))\b",
    re.IGNORECASE,
)
SINCE = re.compile(
    r"^(?:from|as of|since|starting|effective|with effect from|until) (?:the )?(?:\d{1,2} [A-Za-z]+(?: \d{4})?|"
    r"[A-Z][a-z]+(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})?|(?:next|this) \w+),? ",
    re.IGNORECASE,
)
CALENDAR = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|spring|summer|autumn|winter|weekends?|weekdays?|mornings|evenings|afternoons|nights",
    re.IGNORECASE,
)
NUMBER = re.compile(
    r"[$€£]?\d.*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|half|quarter",
    re.IGNORECASE,
)
NOT = re.compile(
    r"\b(?:not|never|no longer|nobody|none|without|if|might|may be|maybe|perhaps|would)\b|n['’]t\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A clause as it is compared.

    Attributes:
        words: its words in compare form, the subject first.
        shown: the same words as written.
        verb: the place of its verb.
        own: whether the speaker is its subject, or owns it.
    """

    words: tuple[str, ...]
    shown: tuple[str, ...]
    verb: int
    own: bool

    @property
    def telling(self) -> str:
        """What both clauses say: its subject; where that is the speaker, the words of the rest."""
        told = self.words[self.verb + 1 :] if self.own else self.words[: self.verb]
        return " ".join(
            said
            for said, word in zip(self.shown, self.words, strict=True)
            if word in told and word not in _words("links")
        )


def renewing(text: str) -> Iterator[Statement]:
    """The clauses of a text that say that something has changed, and tell of nothing more beside."""
    if not news().meets(text):
        return
    for start, end in sentences(text):
        sentence = text[start:end]
        if not news().meets(sentence) or more().search(sentence) is not None or sentence.rstrip().endswith("?"):
            continue
        yield from (one for one in statements(sentence) if one is not None)


def statements(sentence: str) -> Iterator[Statement | None]:
    """The clauses of a sentence that can be compared."""
    for clause, lost in clauses(sentence):
        if not lost:
            yield statement(SINCE.sub("", plainly(SINCE.sub("", clause))))


def renews(new: Statement, old: Statement) -> bool:
    """Whether a clause that tells news says anew what another said, but for one stretch."""
    if new.own != old.own or new.words[: new.verb + 1] != old.words[: old.verb + 1] or new.words == old.words:
        return False
    at = new.verb + 1
    a, b = old.words[at:], new.words[at:]
    steps = [step for step in SequenceMatcher(None, a, b, autojunk=False).get_opcodes() if step[0] != "equal"]
    swapped = [step for step in steps if step[0] == "replace"]
    if len(swapped) != 1 or any(_is_inside(step, a, b) for step in steps if step[0] != "replace"):
        return False
    _, a1, a2, b1, b2 = swapped[0]
    shared = {word for word in (*a[:a1], *a[a2:]) if word in b} - _words("links")
    kind = _kind(old.shown[at + a1 : at + a2])
    if max(a2 - a1, b2 - b1) > STRETCH or kind is None or kind != _kind(new.shown[at + b1 : at + b2]):
        return False
    if new.words[new.verb] == "be" and not any(word in a[a2:] for word in shared):
        return any(
            _is_definite(word, a) and _is_definite(word, b) for word in shared
        )  # not "allergic to nuts", "… milk"
    return _is_enough(new.words[new.verb], shared, a, b)


def statement(clause: str) -> Statement | None:
    """A clause as it is compared; None when it has no known verb, or is denied or too long."""
    if NOT.search(clause) is not None:
        return None
    pairs = list(read_words(ADVERBIAL.sub(" ", clause)))
    if not 2 < len(pairs) <= MOST:  # noqa: PLR2004  (who, verb, and what)
        return None
    words, shown = tuple(word for word, _ in pairs), tuple(said for _, said in pairs)
    verb = next((n for n, word in enumerate(words) if n and word in _verbs()), None)
    if verb is None or (words[0] in ("he", "she", "it", "they", "you", "there", "that", "this", "who", "what")):
        return None
    return Statement(words, shown, verb, re.match(r"(?:i|we|my|our|me)\b", shown[0], re.IGNORECASE) is not None)


def read_words(clause: str) -> Iterator[tuple[str, str]]:
    """The words of a clause in compare form, each beside how it is written."""
    for word in WORD.findall(clause):
        short = SHORT.search(word)
        bare = word if short is None else word[: short.start()]
        if (form := stem(bare)) not in _words("dropped"):
            yield form, bare
        if short is not None and not (short[1].lower() == "s" and bare.lower() not in ("it", "he", "she", "that")):
            yield LONG[short[1].lower()], short[1]


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """A word in compare form: "texts" is "text", "has" is "have"."""
    low = word.lower()
    if (base := _irregular().get(low)) is not None:
        return base
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("s", "")):
        if low.endswith(ending) and len(low) > len(ending) + 2 and not low.endswith(("ss", "us", "is")):
            return low.removesuffix(ending) + instead
    return low


def _is_inside(step: tuple[str, int, int, int, int], a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether what one clause has more stands elsewhere than at its end, or is much."""
    _, a1, a2, b1, b2 = step
    return not (a2 == len(a) and b2 == len(b)) or max(a2 - a1, b2 - b1) > TAIL


def _kind(words: tuple[str, ...]) -> str | None:
    """What a stretch is: a number, a time of the calendar, a name or plain words; None when it says nothing."""
    telling = [word for word in words if word.lower() not in _words("links")]
    if not telling:
        return None
    if any(CALENDAR.fullmatch(word) for word in telling):
        return "calendar"
    if any(NUMBER.fullmatch(word) for word in telling):
        return "number"
    return "name" if telling[-1][0].isupper() else "plain"


def _is_enough(verb: str, shared: set[str], a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether what two clauses share besides their subject and verb ties them to one thing."""
    known = data()["verbs"]
    if verb in known["one"]:
        return True
    if verb not in known["several"]:
        return bool(shared)
    return any(_is_definite(word, a) and _is_definite(word, b) for word in shared)


def _is_definite(word: str, words: tuple[str, ...]) -> bool:
    at = words.index(word)
    return "the" in words[max(0, at - 2) : at]


@cache
def news() -> Ways:
    """What says that a sentence tells news."""
    return Ways([data()["renewal"]["news"]])


@cache
def more() -> re.Pattern[str]:
    """What says that a sentence tells of something more."""
    return re.compile(data()["renewal"]["more"], re.IGNORECASE)


@cache
def _irregular() -> dict[str, str]:
    """Forms of a word that its ending does not tell, each with what stands for all of them."""
    return {form: base for base, forms in data()["irregular"].items() for form in forms.split()}


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(data()["compared"][name].split())


@cache
def _verbs() -> frozenset[str]:
    return frozenset(word for words in data()["verbs"].values() for word in words)
