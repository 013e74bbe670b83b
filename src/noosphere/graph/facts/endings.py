"""Endings: sentences that say something known is over, in its own words: "no longer ships to Norway"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from noosphere.graph.facts.changes import found_changes
from noosphere.graph.facts.clauses import clauses, plainly, sentences, with_subject
from noosphere.graph.facts.frames import AFTER
from noosphere.graph.facts.renewals import renewing
from noosphere.graph.facts.subjects import person, thing
from noosphere.graph.facts.when import without_times
from noosphere.model.needs import Sought
from noosphere.model.worded import worded
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from noosphere.graph.facts.changes import Change
    from noosphere.graph.facts.renewals import Statement


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
    """

    owner: str | None
    words: str
    more: str = ""
    left: bool = False
    said: Statement | None = None
    kind: str | None = None
    change: Change | None = None


MAX_TEXT = 2_000  # characters: an ending is said shortly
CUE = Sought(
    re.compile(
        r"\b(?:no longer|any ?more|any longer|stopped|quit|gave up|given up|instead of|in place of|rather than|over|"
        r"from|replaced|swapped|traded|ditched|dropped|switched|changed to|over to|"
        r"converted|defected|used to|superseded|phased out|again|once more|history|finished)\b",
        re.IGNORECASE,
    )
)
WORDS = frozenset(  # a sentence without any of them has none of the forms below, whatever is taken out of it
    """
    longer more anymore days nowadays stopped quit given gave finished from replaced swapped traded exchanged ditched
    dropped abandoned rid away instead place rather over switched changed converted defected again used
    superseded phased
    """.split()  # noqa: SIM905  (a text reads better than thirty quotes)
)
WHO = r"(?P<who>[\w'’.&/-]+(?: [\w'’.&/-]+){0,6}?)"
NOT = (
    r"(?:(?:do|does|did|is|are|was|were|has|have|can|will|am)(?:n['’]t| not)|['’](?:m|s|re) not|can(?:no|['’])t|"
    r"won['’]t|never)"
)
NO_LONGER = re.compile(
    rf"^{WHO}(?: (?:is|are|am|was|has|have|can|do|does)|['’](?:m|s|re|ve))? no longer(?: (?:be|been))? (?P<what>.+)$",
    re.IGNORECASE,
)
NOT_ANY_MORE = re.compile(
    rf"^{WHO} ?{NOT} (?P<what>.+?),? (?:any ?more|any longer|these days|nowadays)\b.*$", re.IGNORECASE
)
USED_TO = re.compile(rf"^{WHO} used to (?P<what>(?!be called|think|wonder).+)$", re.IGNORECASE)
PASSIVE = re.compile(
    rf"^{WHO} (?:has been|have been|was|were|got|is being) (?:replaced|superseded|swapped out|phased out) "
    r"(?:by|with|for|in favou?r of) (?P<new>[A-Z][\w'’.+-]*(?: [A-Z\d][\w'’.+-]*)*)(?P<rest>.*)$",
    re.IGNORECASE,
)
USING = (
    "use uses using run runs track write store build host pay"  # what is replaced was one of these, if no more is said
)
STOPPED = re.compile(
    rf"^{WHO}(?: have| has|['’]ve|['’]s)?(?: (?:now|finally|just|already))? (?:stopped|quit|given up|gave up|"
    rf"finished) (?P<what>\w+ing\b.*|the .+|my .+|our .+)$",
    re.IGNORECASE,
)
FROM_TO = re.compile(
    rf"^{WHO}(?: have| has|['’]ve|['’]s)?(?: (?:now|finally|just|already|recently|officially))? (?:switched|moved|"
    rf"migrated|changed|gone|"
    r"went|converted|transferred|ported|upgraded|downgraded)(?: over)?(?P<thing> [\w'’ -]+?)?,?(?: over)? from "
    r"(?P<old>[^,;]+?) (?:to|onto) .+$",
    re.IGNORECASE,
)
REPLACED = re.compile(
    rf"^{WHO}(?: have| has|['’]ve|['’]s)?(?: (?:now|finally|just|already|recently))? (?:(?:replaced|swapped|traded|"
    rf"exchanged)(?: in| out)? (?P<old>[^,;]+?) "
    r"(?:with|by|for) .+|(?:ditched|dropped|abandoned|got rid of|did away with) (?P<left>[^,;]+?)(?: for .+)?)$",
    re.IGNORECASE,
)
TO = re.compile(
    r"^(?P<who>(?i:I|we)(?:['’]ve)?|[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*)?)(?: have| has)?(?: (?:now|finally|just|already|"
    r"recently))? (?:switched|changed|gone over|went over|converted|defected|moved over)(?: over)? to "
    r"(?P<new>(?:the )?[A-Z][\w'’.+-]*(?: [A-Z\d][\w'’.+-]*){0,2})$"
)
INSTEAD = re.compile(
    r"^(?P<who>(?i:I|we)(?:['’](?:m|re|ve))?|(?i:my|our|the|his|her) [\w-]+(?= \w)|(?:[A-Z][\w'’.-]*)(?: "
    r"[A-Z][\w'’.-]*)*) "
    r"(?P<rest>[^,;]+?)(?:,? instead of|,? in place of|,? rather than| over) (?P<old>[^,;]+)$"
)
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


def found_endings(text: str, speaker: str = "user", said_at: datetime | None = None) -> list[Ending]:
    """What a text says is over, in order; the words are those of the statement that it ends."""
    text = text[:MAX_TEXT]
    found = [Ending(speaker if one.own else None, one.telling, said=one) for one in renewing(text)]
    found += [Ending(speaker if one.own else None, one.words, change=one) for one in found_changes(text)]
    if CUE.search(text) is None:
        return found
    told = [text[start:end] for start, end in sentences(text)]
    return [*(ending for sentence in told if _may_end(sentence) for ending in _of(sentence, speaker, said_at)), *found]


def _may_end(sentence: str) -> bool:
    told = worded(sentence)
    return told.unlike or not WORDS.isdisjoint(told.words)


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
    for clause, bare in clauses(sentence):
        whole = with_subject(clause, "I") if bare else clause
        plain = plainly(without_times(whole, said_at)[1])
        ending = _negated(plain, speaker, sentence) or _left(plain, speaker)
        ending = ending or _instead(plain, speaker) or _taken(plain, speaker) or _once_more(plain, speaker)
        if ending is not None and (ending.words or ending.kind):
            yield ending


def _negated(clause: str, speaker: str, sentence: str) -> Ending | None:
    for form in (NO_LONGER, NOT_ANY_MORE, STOPPED, USED_TO):
        if (match := form.match(clause)) is not None:
            what = AFTER.sub("", match["what"])
            if VAGUE.match(what):
                return None
            if match["who"].lower() in ("he", "she"):
                names = " ".join(name for name in NAME.findall(sentence))
                return Ending(None, content(what), names) if names else None
            return _about(match["who"], what, speaker)
    return None


def _left(clause: str, speaker: str) -> Ending | None:
    if (match := FROM_TO.match(clause)) is not None:
        what = match["thing"] or ""
        named = what if re.match(r" (?:my|our|the|his|her|its|their) ", what) else ""
        if named.startswith((" my", " our", " the")):
            known = thing(named.strip(), speaker, None)
            return None if known is None else Ending(None, f"{content(known)} {content(match['old'])}", left=True)
        return _about(match["who"], f"{named} {match['old']}", speaker, left=True)
    if (match := PASSIVE.match(clause)) is not None:
        return Ending(None, content(match["who"]), content(match["rest"]) or USING)
    if (match := REPLACED.match(clause)) is not None:
        return _about(match["who"], match["old"] or match["left"], speaker, left=True)
    return None


def _instead(clause: str, speaker: str) -> Ending | None:
    match = INSTEAD.match(AFTER_KEEPING_INSTEAD.sub("", clause))
    if match is None:
        return None
    if " over " in clause and "prefer" not in match["rest"]:
        return None
    ending = _about(match["who"], match["old"], speaker)
    return None if ending is None else Ending(ending.owner, ending.words, content(match["rest"]), left=True)


def _taken(clause: str, speaker: str) -> Ending | None:
    """Read "I switched to Bolt": of what one goes with, whatever it was is over."""
    match = TO.match(AFTER.sub("", clause))
    if match is None:
        return None
    who = person(SHORT_HAVE.sub("", match["who"]), speaker, None)
    owner = speaker if who == "we" else who
    return None if owner is None else Ending(owner, "", kind="service")


def _once_more(clause: str, speaker: str) -> Ending | None:
    """Read "the lift works again": that it did not is over."""
    if AGAIN.search(clause) is None or DENIES.search(clause) is not None:
        return None
    words = content(AGAIN.sub(" ", AFTER_KEEPING_INSTEAD.sub("", clause)))
    first = clause.split(maxsplit=1)[0].lower()
    if len(words.split()) < 2:  # noqa: PLR2004  ("again" alone is about anything)
        return None
    return Ending(speaker if first in FIRST else None, words, kind="denied")


AGAIN = re.compile(r"\b(?:again|once more)\b", re.IGNORECASE)
DENIES = re.compile(
    r"n['’]t\b|\b(?:not|no|no longer|never|cannot|stopped|quit|gave up|broken|out of order)\b", re.IGNORECASE
)
SHORT_HAVE = re.compile(r"['’]ve$")
AFTER_KEEPING_INSTEAD = re.compile(
    r"(?:,(?!\d)|[;:(!?]| [-–—]+ |\s(?:because|since|so|but|although|though|while|when|if)\b).*$"
)


def _about(who: str, what: str, speaker: str, *, left: bool = False) -> Ending | None:
    low = who.lower().replace("’", "'")
    if low in FIRST:
        return Ending(speaker, content(what), left=left)
    if low.split()[0] in ("he", "she", "they", "it", "that", "this", "there", "you", "who", "which"):
        return None
    known = person(who, speaker, None) or thing(who, speaker, None)
    return None if known is None else Ending(None, f"{content(known)} {content(what)}", left=left)
