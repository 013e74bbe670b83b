"""found_names: the names in a text, by capitals, lists, and what stands beside them."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from noosphere.graph.names.join import joined
from noosphere.graph.names.kind import behind, kind_of
from noosphere.graph.names.lists import common, given, hints, known, ordinary, places
from noosphere.graph.names.making import make, small_forms, small_names
from noosphere.graph.names.noise import data as noise_data
from noosphere.graph.names.tokens import MAX_TEXT, cut

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.graph.names.lists import Known
    from noosphere.graph.names.mention import Mention
    from noosphere.graph.names.tokens import Sentence, Token

FILE = re.compile(
    r"https?://[^\s<>()\"'`]+[\w/]|(?<![\w/.])(?:~|\.{1,2})?/(?:[\w.-]{1,255}/){0,40}[\w.-]{0,255}\w"
    r"|(?<![\w/])(?:[\w.-]{1,99}/){1,40}[\w-]+\.\w{1,8}\b|(?<![\w/@])[\w-]+(?:\.[\w-]+){0,9}\.(?:py|js|ts|tsx|jsx|rs|go|java|kt|"
    r"rb|php|cs|cpp|h|hpp|swift|sql|sh|ps1|md|txt|csv|tsv|json|jsonl|ya?ml|toml|ini|cfg|conf|env|xml|html|css|scss|pdf|docx?|xlsx?|pptx?|odt|ods|png|jpe?g|gif|svg|webp|mp3|mp4|wav|flac|mov|"
    r"zip|tar|gz|parquet|ipynb|tex|bib|log|lock|db|sqlite|proto|tf|gpx|dwg|psd|ai|indd|blend|stl)\b",
)
DOTTED = re.compile(r"\.\w")
JOINS = frozenset(
    [
        "de",
        "van",
        "von",
        "da",
        "di",
        "do",
        "dos",
        "du",
        "del",
        "della",
        "al",
        "bin",
        "ibn",
        "ter",
        "ten",
        "af",
        "av",
        "&",
        "y",
    ]
)
SECOND = frozenset({"der", "den", "la", "las", "los", "le", "el", "the"})  # joins only after another: "van der"
OF = frozenset({"of", "for", "des", "der"})
DOES = frozenset(
    [
        "is",
        "was",
        "uses",
        "runs",
        "depends",
        "relies",
        "needs",
        "requires",
        "has",
        "belongs",
        "leads",
        "reports",
        "replaces",
        "ships",
        "drops",
        "supports",
        "said",
        "says",
        "joined",
        "works",
        "lives",
    ]
)
CAPITAL = frozenset({"location", "organization", "product"})  # known names of these types are never written small
FIRM = frozenset({"plc", "gmbh", "ltd", "inc", "llc", "co", "ag", "srl", "bv", "nv", "oy"})  # written small too
LONGEST_NUMBER = 6  # characters: that of a model, not a sum
USUAL = frozenset({"day", "week", "weekend", "open", "games", "con", "fair", "cup"})
WEEKDAYS = frozenset({
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
})  # fmt: skip
MONTHS = frozenset({
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
})  # fmt: skip
WHEN = frozenset({  # before a month, what follows is a time and no first name: "In May Karin left"
    "on", "in", "by", "since", "until", "till", "from", "before", "after", "last", "next", "this", "of", "early",
    "late", "mid", "during", "every", "for", "around",
})  # fmt: skip
ABSTRACT = ("tion", "sion", "ment", "ness", "ance", "ence", "ship", "ity", "ing")  # ends of words that name no thing
SEAT = re.compile(r"-(?:based|born|headquartered)$")  # "Leeds-based" names Leeds
TRAILING = re.compile(r"(?:'s|’s|['’])$")


def found_names(text: str) -> list[Mention]:
    """The names in the first MAX_TEXT characters of a text, in order; the same name may stand in it often.

    Noise is still among them: it is taken out where entities are written.
    """
    found: list[Mention] = []
    named = "/" in text or DOTTED.search(text) is not None  # no file without one of them
    small = small_forms(text)
    for sentence in cut(text):
        files = FILE.finditer(text, sentence.start, sentence.end) if named else ()
        taken = [(m.start(), m.end()) for m in files]
        here = [make(text[a:b], "file", (a, b), sentence, sure=True, known=True) for a, b in taken]
        here += small_names(text, sentence, small)
        here += _large(text, sentence, taken)
        found += sorted(_apart(here), key=lambda m: m.span)
    return joined(found)


def _large(text: str, sentence: Sentence, taken: list[tuple[int, int]]) -> Iterator[Mention]:
    words, at, begun = sentence.words, 0, known()
    while at < len(words):
        word = words[at]
        if word.low not in begun and (word.text.islower() or not word.large):
            at += 1
            continue
        if any(a <= words[at].start < b for a, b in taken):
            at += 1
            continue
        if (seat := SEAT.search(words[at].text)) is not None and words[at].large:
            span = (words[at].start, words[at].start + seat.start())
            yield make(text[slice(*span)], "location", span, sentence, sure=False, known=False)
            at += 1
            continue
        listed = _listed(text, words, at)
        stop = _run(text, words, at)
        if listed is not None and stop <= at + len(listed.words):
            end = at + len(listed.words)
            span = (words[at].start, words[end - 1].end)
            yield make(text[slice(*span)], listed.type, span, sentence, sure=True, known=True)
            at = end
            continue
        if stop > at:
            yield from _named(text, sentence, at, stop)
            at = stop
            continue
        at += 1


def _named(text: str, sentence: Sentence, at: int, stop: int) -> Iterator[Mention]:
    """The name in a run of large words, without what opens the sentence and titles; none when nothing is left."""
    words, lists = sentence.words, hints()
    while at < stop and _opens(text, sentence, at, stop):
        at += 1
    at = _after_date(words, at, stop)
    titled = False
    while at + 1 < stop and words[at].low in lists.titles and words[stop - 1].low not in lists.last:
        at, titled = at + 1, True
    while stop - 1 > at and words[stop - 1].number and _is_version(words, at, stop):
        stop -= 1
    if at >= stop:
        return
    if not titled and (listed := _listed(text, words, at)) is not None and len(listed.words) == stop - at:
        yield make(
            text[words[at].start : words[stop - 1].end],
            listed.type,
            (words[at].start, words[stop - 1].end),
            sentence,
            sure=True,
            known=True,
        )
        return
    end = stop + _event(text, words, stop)
    span = (words[at].start, words[end - 1].end)
    name = TRAILING.sub("", text[span[0] : span[1]])
    if not any(c.isalpha() for c in name) or (sentence.shouted and stop - at == 1):
        return
    type_, sure = ("person", True) if titled else kind_of(text, sentence, at, stop)
    reach = words[stop].end if end == stop and behind(words, stop) is not None else span[0] + len(name)
    if sentence.language == "de" and stop - at == 1 and not sure:
        return  # German writes every noun large
    yield make(name, type_, (span[0], reach), sentence, sure=sure, known=False)


def _after_date(words: tuple[Token, ...], at: int, stop: int) -> int:
    """Where a name begins in a run that begins with a date: "Tuesday 4 May Karin"."""
    begin, dated = at, at > 0 and words[at - 1].low in WHEN
    while at + 1 < stop:
        word, follows = words[at], words[at + 1].low
        person = follows in given() or follows in hints().titles
        day = word.low in WEEKDAYS and (dated or person or words[at + 1].number)
        if not (day or (dated and word.low in MONTHS) or (word.number and (at > begin or follows in MONTHS))):
            break
        at, dated = at + 1, True
    return at


def _event(text: str, words: tuple[Token, ...], stop: int) -> int:
    """Whether a small word ends the name of an event: "the Lindgate settlement"."""
    if stop >= len(words) or text[words[stop - 1].end : words[stop].start] != " " or words[stop].large:
        return 0
    return int(hints().last.get(words[stop].low) == "event" and words[stop].low not in USUAL)


def _run(text: str, words: tuple[Token, ...], at: int) -> int:
    """The end of the run of large words that begins here; small words join large ones, numbers may end it."""
    if not words[at].large or words[at].number:
        return at
    stop = at + 1
    while stop < len(words):
        if not _touches(text, words, stop):
            break
        word = words[stop]
        after_word = not words[stop - 1].number and len(word.text) <= LONGEST_NUMBER
        if word.large if not word.number else after_word:
            stop += 1
        elif (step := _joins(text, words, at, stop)) > 0:
            stop += step
        elif word.low in FIRM and word.text == word.low:
            return stop + 1
        else:
            break
        if TRAILING.search(words[stop - 1].text) and words[stop - 1].low not in _saints(words, at, stop):
            break
    return stop


def _saints(words: tuple[Token, ...], at: int, stop: int) -> frozenset[str]:
    """A possessive inside a name after Saint or St goes on: "St Erth's Chapel"."""
    return (
        frozenset({words[stop - 1].low}) if words[at].low in ("st", "saint", "queen", "king", "mother") else frozenset()
    )


def _touches(text: str, words: tuple[Token, ...], at: int) -> bool:
    between = text[words[at - 1].end : words[at].start]
    return between in (" ", "-") or (between == ". " and words[at - 1].low in ("st", "dr", "mr", "mrs", "ms", "prof"))


def _joins(text: str, words: tuple[Token, ...], at: int, stop: int) -> int:
    """How many small words join what follows to the run."""
    for step in (1, 2):
        if stop + step >= len(words) or not _touches(text, words, stop + step):
            return 0
        small = words[stop + step - 1].low
        of = small in OF and not {words[stop - 1].low, words[at].low}.isdisjoint(_heads())
        if not (of or (small in JOINS if step == 1 else small in SECOND)):
            return 0
        if small == "y" and not known().keys().isdisjoint((words[stop - 1].low, words[stop + step].low)):
            return 0  # "PostgreSQL y Redis" are two
        if words[stop + step].large and not words[stop + step].number:
            return step + 1
    return 0


@cache
def _heads() -> frozenset[str]:
    lists = hints()
    return frozenset(w for table in (lists.first, lists.last) for w, t in table.items() if t != "product") | {
        "isle",
        "house",
        "museum",
    }


def _opens(text: str, sentence: Sentence, at: int, stop: int) -> bool:  # noqa: PLR0911  (every return is a reason of its own)
    """Whether a large word is large only because the sentence begins with it."""
    words, word = sentence.words, sentence.words[at]
    if word.low in _starters():
        return at == 0 or len(word.text) == 1 or stop - at > 1 or word.low not in given()
    if at > 0 and not _after_mark(text, sentence, at):
        return False
    follows = words[at + 1] if at + 1 < len(words) else None
    if stop - at > 1 and (word.low in hints().first or word.low in hints().titles):
        return False
    if word.low in given() and follows is not None and (follows.low in hints().does or stop - at > 1):
        return False
    if sentence.language == "other" and stop - at == 1 and word.low not in places():
        return True
    if "-" in word.text and word.low.split("-")[0] in ordinary():
        return True
    return (
        word.low in ordinary() and not _called(sentence, at) and not (word.low not in common() and _does(sentence, at))
    )


def _does(sentence: Sentence, at: int) -> bool:
    """Whether a thing of this name does or is something: "Marigold is maintained by", "Basalt uses"."""
    words = sentence.words
    return at + 1 < len(words) and words[at + 1].low in DOES and not words[at].low.endswith(ABSTRACT)


def _after_mark(text: str, sentence: Sentence, at: int) -> bool:
    return ":" in text[sentence.words[at - 1].end : sentence.words[at].start]


def _called(sentence: Sentence, at: int) -> bool:
    """Whether a comma and an article follow: "Cookie, the build cache, …"."""
    words = sentence.words
    return (
        at + 1 < len(words)
        and words[at + 1].start - words[at].end == 2  # noqa: PLR2004  (a comma and a blank)
        and words[at + 1].low in ("the", "our", "a", "an", "my")
    )


def _is_version(words: tuple[Token, ...], at: int, stop: int) -> bool:
    """Whether the number after a name is its version: of a known program, or with a dot."""
    if re.fullmatch(r"\d+(?:\.\d+)+\w*", words[stop - 1].text) and words[at].low not in hints().first:
        return True
    key = " ".join(word.low for word in words[at : stop - 1])
    return any(" ".join(k.words) == key for k in known().get(words[at].low, ()) if k.type in ("technology", "tool"))


def _listed(text: str, words: tuple[Token, ...], at: int) -> Known | None:
    """The longest known name that begins here."""
    for one in known().get(words[at].low, ()):
        stop = at + len(one.words)
        if tuple(word.low for word in words[at:stop]) != one.words:
            continue
        written = text[words[at].start : words[stop - 1].end]
        if one.type in CAPITAL and written == written.lower():
            continue
        if one.exact is not None and (written != one.exact or (at == 0 and not _acts(words, stop))):
            continue
        return one
    return None


def _acts(words: tuple[Token, ...], stop: int) -> bool:
    """Whether what opens a sentence is a thing that does or is something."""
    return stop < len(words) and words[stop].low in ("is", "was", "has", "uses", "runs", "needs", "shows", "and", "can")


def _apart(found: list[Mention]) -> list[Mention]:
    """Of names that overlap, the first given."""
    taken: set[int] = set()  # places in the text
    kept: list[Mention] = []
    for one in found:
        if one.key and taken.isdisjoint(places_of := range(*one.span)):
            taken.update(places_of)
            kept.append(one)
    return kept


@cache
def _starters() -> frozenset[str]:
    return frozenset(next(n["words"] for n in noise_data()["noise"] if n["id"] == "starter"))


__all__ = ["MAX_TEXT", "found_names"]
