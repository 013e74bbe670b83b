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
from noosphere.graph.facts.idioms import may_hold_idiom
from noosphere.graph.facts.rulebook import data
from noosphere.graph.facts.words import stem, verbs
from noosphere.model.ways import Ways
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 14  # words of a clause that is compared; a longer one tells a story
NEAR = 3  # words between what may be a verb and what is sure to be one
SURE = frozenset(["be", "have", "do", "will", "can", "must", "should"])
STRETCH = 4  # words in which two clauses differ
TAIL = 4  # words that one clause has more at its end
COMPARED = 2048  # sentences that are remembered as they are compared: what is new is compared with the same ones
WORD = re.compile(r"[\w$€£%+-]+(?:[.:/'’][\w]+)*")
SHORT = re.compile(r"['’](m|s|re|ve|ll|d)$", re.IGNORECASE)
LONG = {"m": "be", "s": "be", "re": "be", "ve": "have", "ll": "will", "d": "would"}
ADVERBIAL = re.compile(
    r"\b(?:these days|at present|from now on|from today(?: on)?|as of (?:now|today|this \w+|\w+(?: \d{4})?)|"
    r"at the moment|for now|right now|this (?:year|season|term|month|week)|any ?more|"
    r"until (?:further notice|the end.*|next \w+|\d{1,2} \w+(?: \d{4})?|\w+ \d{1,2}(?:, \d{4})?))\b",
    re.IGNORECASE,
)
STARTING = re.compile(
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
BIDDING = re.compile(r"^(?:(?:please|always|everybody) )+(?=[a-z]+ )", re.IGNORECASE)
NOT = re.compile(
    r"\b(?:not|never|no longer|nobody|none|without|if|might|may be|maybe|perhaps|would)\b|n['’]t\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Compared:
    """A clause as it is compared.

    Attributes:
        words: its words in compare form, the subject first.
        shown: the same words as written.
        verb: the place of its verb; 0 where somebody is told to do it.
        own: whether the speaker is its subject, or owns it.
    """

    words: tuple[str, ...]
    shown: tuple[str, ...]
    verb: int
    own: bool

    @property
    def telling(self) -> str:
        """What both clauses say: its subject; its verb and the rest of what is said by the speaker or told to do."""
        told = self.words[self.verb :] if self.own or not self.verb else self.words[: self.verb]
        return " ".join(
            said
            for said, word in zip(self.shown, self.words, strict=True)
            if word in told and word not in _words("links")
        )


def renewing(text: str) -> Iterator[Compared]:
    """The clauses of a text that say that something has changed, and tell of nothing more beside."""
    idiomatic = may_hold_idiom(text)
    if not idiomatic and not news().meets(text):
        return
    for start, end in sentences(text):
        sentence = text[start:end]
        told = news().meets(sentence)
        if not told and not (idiomatic and may_hold_idiom(sentence)):
            continue
        if more().meets(sentence) or sentence.rstrip().endswith("?"):
            continue
        yield from statements(sentence, changed=not told)


@lru_cache(maxsize=COMPARED)
def statements(sentence: str, *, changed: bool = False) -> tuple[Compared, ...]:
    """The clauses of a sentence that can be compared; `changed`: only those that were idioms of change."""
    return tuple(_statements(sentence, changed=changed))


def _statements(sentence: str, *, changed: bool) -> Iterator[Compared]:
    for clause in clauses(sentence):
        anew = clause.plain is not None and news().meets(clause.plain)
        if anew or not (changed or (clause.lost and clause.plain is None)):
            one = statement(STARTING.sub("", plainly(STARTING.sub("", clause.plain or clause.text))))
            if one is not None:
                yield one


def renews(new: Compared, old: Compared) -> bool:
    """Whether a clause that tells news says anew what another said, but for one stretch."""
    if new.own != old.own or new.words[: new.verb + 1] != old.words[: old.verb + 1] or new.words == old.words:
        return False
    at = new.verb + 1
    a, b = old.words[at:], new.words[at:]
    steps = _steps(a, b)
    swapped = [step for step in steps if step[0] == "replace"]
    if len(swapped) != 1 or any(_is_inside(step, a, b) for step in steps if step[0] != "replace"):
        return False
    _, a1, a2, b1, b2 = swapped[0]
    shared = {word for word in (*a[:a1], *a[a2:]) if word in b} - _words("links")
    left, right = old.shown[at + a1 : at + a2], new.shown[at + b1 : at + b2]
    kind = _kind(left)
    by = a1 > 0 and a[a1 - 1] == "by" == b[b1 - 1]
    if max(a2 - a1, b2 - b1) > STRETCH or kind is None or (kind != _kind(right) and not by):
        return False
    if kind == "number" and not (_leads(left) and _leads(right)):
        return False  # "pay the cleaner 15", "pay the gardener 20"
    counted = kind == "number" and len(left) == len(right) == 1 and a[a2 : a2 + 1] == b[b2 : b2 + 1] != ()
    return counted or _are_tied(new, a, b, shared, a2)  # "have six hens", "have four hens"


def _are_tied(new: Compared, a: tuple[str, ...], b: tuple[str, ...], shared: set[str], after: int) -> bool:
    """Whether what two rests share ties them to one thing; `after` is where one stretch of the first ends."""
    if new.words[new.verb] == "be" and not any(word in a[after:] for word in shared):
        return any(
            _is_definite(word, a) and _is_definite(word, b) for word in shared
        )  # not "allergic to nuts", "… milk"
    return _is_enough(new.words[new.verb], shared, a, b)


def statement(clause: str) -> Compared | None:
    """A clause as it is compared; None when it has no known verb, or is denied or too long."""
    if NOT.search(clause) is not None:
        return None
    pairs = list(read_words(ADVERBIAL.sub(" ", BIDDING.sub("", clause))))
    if not 2 < len(pairs) <= MOST:  # noqa: PLR2004  (who, verb, and what)
        return None
    words, shown = tuple(word for word, _ in pairs), tuple(said for _, said in pairs)
    verb = _verb(words, shown)
    if verb is None and words[0] in verbs() and shown[0].lower() == words[0]:
        verb = 0  # "use tabs for indentation"
    if verb is None or (words[0] in ("he", "she", "it", "they", "you", "there", "that", "this", "who", "what")):
        return None
    return Compared(words, shown, verb, re.match(r"(?:i|we|my|our|me)\b", shown[0], re.IGNORECASE) is not None)


def read_words(clause: str) -> Iterator[tuple[str, str]]:
    """The words of a clause in compare form, each beside how it is written."""
    for word in WORD.findall(clause):
        short = SHORT.search(word)
        bare = word if short is None else word[: short.start()]
        if (form := stem(bare)) not in _words("dropped"):
            yield form, bare
        if short is not None and not (short[1].casefold() == "s" and bare.lower() not in ("it", "he", "she", "that")):
            yield LONG[short[1].casefold()], short[1]  # a long "ſ" is an "s"


def _verb(words: tuple[str, ...], shown: tuple[str, ...]) -> int | None:
    """The place of the verb: the first that may be one, if none that is sure follows soon ("the vet practice is")."""
    known = [n for n, word in enumerate(words) if n and word in verbs()]
    if not known:
        return None
    first = known[0]
    sure = next((n for n in known if n - first <= NEAR and (words[n] in SURE or shown[n].lower() != words[n])), None)
    return first if sure is None or words[0] in ("i", "we") else sure


def _steps(a: tuple[str, ...], b: tuple[str, ...]) -> list[tuple[str, int, int, int, int]]:
    """In which stretches two rests differ; in one, where they share only words that tell nothing."""
    if {*a}.isdisjoint({*b} - _words("links")):
        return [("replace", 0, len(a), 0, len(b))]
    steps: list[tuple[str, int, int, int, int]] = []
    for step in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        kind, a1, a2, _, b2 = step
        if kind == "equal":
            continue
        if steps and _words("links").issuperset(a[steps[-1][2] : a1]):  # "by the window", "on the aisle"
            _, first, _, other, _ = steps.pop()
            steps.append(("replace", first, a2, other, b2))
        else:
            steps.append(step)
    return steps


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


def _leads(words: tuple[str, ...]) -> bool:
    """Whether nothing that tells stands before the number of a stretch."""
    at = next(n for n, word in enumerate(words) if NUMBER.fullmatch(word) or word.lower() in _words("links"))
    return not [word for word in words[:at] if word.lower() not in _words("links")]


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
def more() -> Ways:
    """What says that a sentence tells of something more."""
    return Ways([data()["renewal"]["more"]])


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(data()["compared"][name].split())
