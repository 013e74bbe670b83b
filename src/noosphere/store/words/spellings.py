"""Other spellings: the form in which ids, numbers and names meet that are written joined, apart, or in groups.

What a text holds in a spelling that people change is indexed a second time in the one form that they share:
PROJ-8841 as proj8841 too, getUserById as get user by id, +49 30 1234567 as 49301234567, 1,013.00 as 1013, Müller as
mueller. A question is read the same way, and tells beside it what only a question can mean: that v1.2.30 may be
written without its v, a commit by its beginning, data base in one word.

Digits that a sign keeps apart stay apart (1.2.3 is neither 12.3 nor 1.23), but for long groups of nothing else.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING

from noosphere.records import dataclass
from noosphere.store.words.fold import PRIVATE, index_text
from noosphere.store.words.pieces import words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from noosphere.store.words.pieces import Token


@dataclass(frozen=True, slots=True)
class Spelling:
    """Words that say the same as what a text holds from `start` to `stop`.

    `beginning` says that the last of them may go on (9f86d08 of a commit).
    """

    words: tuple[str, ...]
    start: int
    stop: int
    beginning: bool = False


FENCE = chr(PRIVATE)  # a token that is in no text: no emoji's code ends in 0000
MAX_JOINED = 40  # characters of an id, longer is a path or a sentence
MAX_PARTS = 8
SHORT = 12  # characters: Node.js, U.S.A.; longer with dots it is a host, a module, a file
INITIALS = 4  # letters of a part: TCP/IP, R&D; longer it is one or the other
DIGITS = range(7, 20)  # of a telephone, a card, an account, a day (20240517): short ones are amounts, ranges, scores
LOOSE_DIGITS = 9  # with dots: 415.555.2671; shorter it may be a version
UUID = 32
IBAN = range(15, 35)
MAX_PAIR = 24  # characters of words that a question joins
PARTICLES = frozenset({"up", "in", "out", "on", "off", "down", "back", "over"})  # end a word: set up, log in
FULL_HEX, SHORT_HEX = 20, range(7, 13)  # what a whole commit has at least, and how it is cut short
UNITED = 2  # words
SPACES = " \n\t"
SPACE = re.compile(r"\s")

LETTER = r"[^\W_]"  # or a digit
SIGNS = "-_./&\u2010\u2011"
# Where something of the kind may be: one set in front, for which `re` looks at memory speed.
SPOT = re.compile(rf"[{SIGNS}A-Z](?:(?<=\w[{SIGNS}])(?=\w)|(?<=[a-z][A-Z]))")
NUMBER_SPOT = re.compile(r"[0-9](?:\)?[-. ,'’:\u00a0\u2009\u202f]\(?|\))[0-9]")
DIGIT = re.compile("[0-9]")
UMLAUT_SPOT = re.compile("[\u00c4\u00c5\u00d6\u00d8\u00dc\u00e4\u00e5\u00f6\u00f8\u00fc]|[aouAOU][\u0308\u030a]")

CHAIN = rf"(?<!{LETTER}){LETTER}++(?:[{SIGNS}]{LETTER}++)+"
CAMEL = rf"(?<!{LETTER})(?=[A-Za-z0-9]*[a-z][A-Z])[A-Za-z][A-Za-z0-9]*+(?!{LETTER})"
HUMP = "[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+"
GROUPS = r"(?<!\w)(?<!\d[.,:/])\d+(?:(?:\)?[-. \u00a0\u2009\u202f]\(?|\))\d+)+(?![\w:]|[.,/]\d)"
TRUNK = r"\(0\)"  # +49 (0)30: dialled at home only
ACCOUNT = r"(?<!\w)[A-Za-z]{2}\d{2}[ -](?:[A-Za-z]{4}[ -])?(?:[A-Z0-9]{4}[ -]){1,7}[A-Z0-9]{1,4}(?!\w)"
FOURS = r"\d{4}[ -]\d{4}"
HARDWARE = r"(?<![\w:])(?:[0-9A-Fa-f]{2}([:-]))(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?![\w:])"
AMOUNT = (
    r"(?<!\w)(?<!\d[.,'’])(?:\d{1,3}(?:([., '’\u00a0\u2009\u202f])\d{3})(?:\1\d{3})*|\d{2,})(?:([.,])(\d{1,2}))?"
    r"(?!\w|[.,'’]\d)"
)
UMLAUTS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Ø": "Oe"}
)
WORD = "(?:[^\\W\\d_]|[\u0300-\u036f])+"
GERMANIC = "[A-Za-zÄÅÖØÜäåöøüßæÆ]+"  # with other letters in it, it is of a language that writes no ae
VERSION = r"(?<![\w.])([vV]?)(\d+(?:\.\d+)+)(?!\w|\.\d)"
FRACTION = r"(?<!\w)(?<!\d[.,])(\d+)[.,](\d)(0?)(?!\w|[.,]\d)"
BORDER = r"(?<!\w)(?:([^\W\d_]+)(\d+)|(\d+)([^\W\d_]+))(?!\w)"
COMMIT = r"(?<!\w)(?=[0-9a-fA-F]*[0-9])(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{7,40}(?!\w)"


def indexed_text(text: str) -> str:
    """Prepare a text for the index, with its other spellings behind it, where no phrase of its own reaches."""
    plain, others = index_text(text), spellings(text)
    if not others:
        return plain
    return f"{plain} {FENCE} {' '.join(word for spelling in others for word in spelling.words)}"


def spellings(text: str) -> list[Spelling]:
    """What a text holds that is also written otherwise, in the form that its spellings share."""
    found: list[Spelling] = []
    if SPOT.search(text) is not None:
        found += _names(text)
    if NUMBER_SPOT.search(text) is not None:
        found += _numbers(text)
    if not text.isascii() and UMLAUT_SPOT.search(text) is not None:
        found += _umlauts(text)
    return found


def asked_spellings(text: str, words: Sequence[Token], stops: Iterable[bool]) -> list[Spelling]:
    """How else what a question names may be written; `words` are its plain words, in order, and which are stop words.

    More than `spellings` tells of it: a question is short, and what is told in vain costs one look into the index.
    """
    found = [*spellings(text), *_pairs(text, words, stops)]
    if SPOT.search(text) is not None:
        named = ((_humps(match.group()), match.span()) for match in re.finditer(CAMEL, text))
        found += [Spelling(humps, *span) for humps, span in named if len(humps) <= MAX_PARTS]
    if DIGIT.search(text) is not None:
        found += _asked_numbers(text)
    return found


def _asked_numbers(text: str) -> Iterator[Spelling]:
    """Versions with and without v, fractions with and without their zero, 15GB as 15 GB, a commit as it is cut."""
    for match in re.finditer(VERSION, text):
        first, *others = match.group(2).split(".")
        yield Spelling((first if match.group(1) else f"v{first}", *others), *match.span())
    for match in re.finditer(FRACTION, text):
        whole, tenths, zero = match.groups()
        yield Spelling((whole, tenths if zero else f"{tenths}0"), *match.span())
    for match in re.finditer(BORDER, text):
        yield from _of_words([part for part in match.groups() if part], *match.span())
    for match in re.finditer(COMMIT, text):
        typed = match.group().lower()
        yield Spelling((typed,), *match.span(), beginning=True)
        for size in SHORT_HEX if len(typed) >= FULL_HEX else ():
            yield Spelling((typed[:size],), *match.span())


def _names(text: str) -> Iterator[Spelling]:
    """Ids, compounds and names in humps; only what stands between two spaces around a spot is looked at."""
    done = 0
    for spot in SPOT.finditer(text):
        if spot.start() < done:
            continue
        start, done = _around(text, done, spot.start())
        part = text[start:done]
        for match in re.finditer(CHAIN, part):
            yield from _joined(match.group(), start + match.start())
        for match in re.finditer(CAMEL, part):
            humps = _humps(match.group())
            plain = match.group()[:UNITED].islower()  # userId, not iPhone
            if len(humps) <= MAX_PARTS and (plain or len(humps) > UNITED):
                yield Spelling(humps, start + match.start(), start + match.end())


def _around(text: str, least: int, at: int) -> tuple[int, int]:
    after = SPACE.search(text, at)
    start = max(least, *(text.rfind(space, least, at) + 1 for space in SPACES))
    return start, len(text) if after is None else after.start()


def _humps(name: str) -> tuple[str, ...]:
    return tuple(hump.lower() for hump in re.findall(HUMP, name))


def _joined(chain: str, start: int) -> Iterator[Spelling]:
    """A chain in one word; where a digit follows a digit, in one word before and one after."""
    parts = [(part.group(), part.start(), part.end()) for part in re.finditer(f"{LETTER}+", chain)]
    length = sum(len(part) for part, _, _ in parts)
    if length > MAX_JOINED or len(parts) > MAX_PARTS:
        return
    signs = {chain[stop] for (_, _, stop) in parts[:-1]}
    if signs == {"-"} and length == UUID and all(re.fullmatch("[0-9a-fA-F]+", part) for part, _, _ in parts):
        yield from _of_words(("".join(part for part, _, _ in parts),), start, start + len(chain))
        return
    if ("." in signs and length > SHORT) or (signs & {"/", "&"} and any(len(part) > INITIALS for part, _, _ in parts)):
        return
    row = parts[:1]
    for before, part in pairwise(parts):
        if before[0][-1].isdigit() and part[0][0].isdigit():
            yield from _row(row, start)
            row = []
        row.append(part)
    yield from _row(row, start)


def _row(row: list[tuple[str, int, int]], start: int) -> Iterator[Spelling]:
    if len(row) >= UNITED:
        yield from _of_words(("".join(part for part, _, _ in row),), start + row[0][1], start + row[-1][2])


def _of_words(words: Iterable[str], start: int, stop: int) -> Iterator[Spelling]:
    """The spelling, when each of its words is one token of the index."""
    folded = [words_of(word) for word in words]
    if all(len(tokens) == 1 for tokens in folded):
        yield Spelling(tuple(tokens[0] for tokens in folded), start, stop)


def _numbers(text: str) -> Iterator[Spelling]:
    taken: set[tuple[int, int]] = set()
    if re.search(FOURS, text) is not None:
        for match in re.finditer(ACCOUNT, text):
            joined = re.sub("[ -]", "", match.group()).lower()
            if len(joined) in IBAN:
                taken.add(match.span())
                yield Spelling((joined,), *match.span())
    for match in re.finditer(HARDWARE, text):
        yield Spelling((re.sub("[:-]", "", match.group()).lower(),), *match.span())
    for match in re.finditer(GROUPS, text):
        if not any(start <= match.start() < stop for start, stop in taken):
            yield from _grouped(match.group(), match.start(), called=text[: match.start()].endswith(("+", "(")))
    for match in re.finditer(AMOUNT, text):
        yield from _amount(match)


def _grouped(run: str, start: int, *, called: bool) -> Iterator[Spelling]:
    """Groups of digits in a row as one number: of a telephone, a card, a book, a day."""
    found = [(run, start)]
    if "-" in run and " " in run:  # 2024-05-17 10 of them
        found += [(part.group(), start + part.start()) for part in re.finditer(r"\S+", run) if part.group() != run]
    for each, at in found:
        groups = re.findall(r"\d+", re.sub(TRUNK, "", each))
        joined = "".join(groups)
        spaced, dotted = " " in each, "." in each
        if len(groups) < UNITED or len(groups) > MAX_PARTS or len(joined) not in DIGITS:
            continue
        if dotted and (len(joined) < LOOSE_DIGITS or re.search(r"[^\d.]", each) or not _even(groups)):
            continue
        if spaced and not (called or _even(groups[1:])):
            continue
        yield Spelling((joined,), at, at + len(each))


def _even(groups: list[str]) -> bool:
    return all(len(group) >= UNITED for group in groups)


def _amount(match: re.Match[str]) -> Iterator[Spelling]:
    """An amount without what groups its digits, and without a fraction of nothing."""
    grouped, sign, fraction = match.groups()
    if grouped == sign and sign is not None:
        return
    zero = fraction == "00"
    if grouped is None and not zero:
        return
    whole = match.group() if sign is None else match.group()[: match.group().rindex(sign)]
    digits = re.sub(r"\D", "", whole)
    yield Spelling((digits,) if zero or fraction is None else (digits, fraction), *match.span())


def _umlauts(text: str) -> Iterator[Spelling]:
    """A name as those write it who have no ä, ö, ü, å or ø."""
    for match in re.finditer(WORD, text):
        word = unicodedata.normalize("NFC", match.group())
        if not word.isascii() and re.fullmatch(GERMANIC, word) is not None:
            bare = word.translate(UMLAUTS)
            if bare != word:
                yield from _of_words((bare,), *match.span())


def _pairs(text: str, words: Sequence[Token], stops: Iterable[bool]) -> Iterator[Spelling]:
    """Words in a row in one word, two or three of them, none a mere stop word."""
    stop = list(stops)
    for size in (2, 3):
        for at in range(len(words) - size + 1):
            row = words[at : at + size]
            joined = "".join(word for word, _, _ in row)
            gaps = {text[end:start] for (_, _, end), (_, start, _) in pairwise(row)}
            says = not stop[at] and all(not stop[n] or words[n][0] in PARTICLES for n in range(at, at + size))
            if says and gaps == {" "} and len(joined) <= MAX_PAIR and not joined.isdigit():
                yield Spelling((joined,), row[0][1], row[-1][2])
