"""Words as the full-text index knows them: the fold of a text, the terms of a query, and where a text holds them.

FTS5's tokenizer (`porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'`, schema.sql) splits at what is
no letter, digit or mark, lower-cases and stems. This module prepares what it cannot do, for texts and queries alike:

- letters: width, case, accents, strokes (ł, đ, ø), vowel points and digits of every script become plain ones;
- scripts written without spaces become overlapping pairs of graphemes: 数据库 → 数据 据库 库;
- an emoji becomes one private-use letter, so that it is a token; skin tones and variation selectors fall away;
- C++, C#, F#, .NET become cplusplus, csharp, fsharp, dotnet; don't becomes dont, Maya's stays maya and s.

Everything that reads a text goes through `index_text`, so a query, a highlight and the index cannot disagree.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise
from operator import add
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_TERMS = 192  # long Chinese questions need them: MemDaily R@10 is 86.5 with 64, 89.8 with 128, 91.2 from 192 on
MAX_READ = 32_768  # of a longer query (a pasted log) its two ends are read: people ask before or after what they paste
MAX_PARTS = 24  # tokens in one phrase: a URL, a path; a longer chain becomes several phrases
MAX_TOKEN = 128  # a longer token is found by its beginning; porter leaves tokens over 64 bytes alone, so that is safe
MAX_WORDS = 16_384  # words whose fold, tokens and stem are remembered
MAX_SHORT = 24  # characters of a run worth remembering: é, ’, a word in Cyrillic; not a sentence in Chinese
MAX_CHARACTERS = 65_536  # characters whose fold is remembered, far above what real texts use

# --- letters

GLUE = "\u2063"  # INVISIBLE SEPARATOR between the pairs of one run: FTS5 splits there, and a second fold leaves it be
ZWNJ = "\u200c"  # stands between the parts of a word in Persian; elsewhere it is invisible
PRIVATE = 0xF0000  # an emoji's letter is its low 16 bits in plane 15: category Co, and no two emoji share them
APOSTROPHES = "’‘ʼʻʾʿ´＇׳"
ASCII = 0x80

# Folds that neither Unicode's decompositions nor its names ("LATIN SMALL LETTER L WITH STROKE") give. Russian print
# leaves the dots of ё out; what maps to itself is kept from NFKC, which would split it.
LETTERS = {
    **dict(zip("æœþðıĸŉŋəɛɔё", ("ae", "oe", "th", "d", "i", "k", "n", "n", "e", "e", "o", "е"), strict=True)),
    **dict(zip("آأإٱىیکةۀہ", "ااااييكههه", strict=True)),  # one letter in several spellings, as Lucene folds them
    **dict.fromkeys("ـ", ""),  # tatweel only stretches a word
    **dict.fromkeys(APOSTROPHES, "'"),
    **dict.fromkeys("‐‑−﹣－־", "-"),
    **dict(zip("״♯™℠\ufffe\uffff", '"#    ', strict=True)),  # SQLite reads the last two as U+FFFD
    **{kept: kept for kept in ("ำ", "ຳ", GLUE)},
}
# Marks that texts write or leave out at will: accents, vowel points of Hebrew, Arabic, Syriac, nukta, variation
# selectors, stems of notes. Other marks (vowel signs of India and Southeast Asia, dakuten) are part of the word.
OPTIONAL_MARKS = (
    *((0x0300, 0x036F), (0x0483, 0x0489), (0x0591, 0x05C7), (0x0610, 0x061A), (0x064B, 0x065F), (0x0670, 0x0670)),
    *((0x06D6, 0x06ED), (0x0711, 0x0711), (0x0730, 0x074A), (0x08CA, 0x08FF), (0x093C, 0x093C), (0x1AB0, 0x1AFF)),
    *((0x1DC0, 0x1DFF), (0x20D0, 0x20E2), (0xFE00, 0xFE0F), (0xFE20, 0xFE2F), (0x1D165, 0x1D1AD), (0xE0100, 0xE01EF)),
)
# Symbols that people write as words. Arrows, box drawing, bullets, ° and © are not among them: they would be noise.
EMOJI = (
    *((0x20E3, 0x20E3), (0x2194, 0x2199), (0x21A9, 0x21AA), (0x231A, 0x231B), (0x2328, 0x2328), (0x23CF, 0x23CF)),
    *((0x23E9, 0x23FA), (0x25AA, 0x25AB), (0x25B6, 0x25B6), (0x25C0, 0x25C0), (0x25FB, 0x25FE), (0x2600, 0x27BF)),
    *((0x2934, 0x2935), (0x2B05, 0x2B07), (0x2B1B, 0x2B1C), (0x2B50, 0x2B50), (0x2B55, 0x2B55), (0x1F000, 0x1FAFF)),
)
EMOJI_CATEGORIES = frozenset({"So", "Sm", "Sk", "Me", "Cn"})  # Cn: younger than this Python's Unicode
FLAG_LETTERS = range(0x1F1E6, 0x1F200)
SKIN_TONES = range(0x1F3FB, 0x1F400)
JAMO = ((0x3131, 0x318E), (0xFFA0, 0xFFDC))  # NFKC would turn ㅋㅋ into half syllables
UNCHANGED = ((0x4E00, 0x9FFF), (0xAC00, 0xD7A3))  # Han and Hangul fold to themselves: the quick way out


class _Folds(dict[int, str]):
    """For str.translate: each character's fold, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        fold = chr(code) if code < ASCII or _within(code, UNCHANGED) else _fold(chr(code))
        if len(self) < MAX_CHARACTERS:
            self[code] = fold
        return fold


FOLDS = _Folds()


def _within(code: int, ranges: Iterable[tuple[int, int]]) -> bool:
    return any(first <= code <= last for first, last in ranges)


def _fold(char: str) -> str:
    """Fold one character beyond ASCII: to plain letters, a token of its own, a separator, or nothing."""
    if char in LETTERS:
        return LETTERS[char]
    code, category = ord(char), unicodedata.category(char)
    if category == "Cf" or code in SKIN_TONES or (category[0] == "M" and _within(code, OPTIONAL_MARKS)):
        return ""
    if code in FLAG_LETTERS:
        return _private(code)  # _segment pairs them
    if category == "Nd":
        return str(unicodedata.digit(char))
    wide = char if _within(code, JAMO) else unicodedata.normalize("NFKC", char).casefold()
    return _bare(char, category) if wide == char else _narrow(char, "".join(FOLDS[ord(c)] for c in wide))


def _narrow(char: str, plain: str) -> str:
    """A word in one sign (½, ⑴, ㈱, ㎞) stands by itself; several signs in one (…) only separate."""
    if TOKEN.fullmatch(plain) and not unicodedata.decomposition(char).startswith("<square>"):
        return plain
    if TOKEN.search(plain):
        return f" {plain} "
    return plain if len(plain) == 1 else " "


def _bare(char: str, category: str) -> str:
    """Take accents and strokes off Latin and Greek letters; й and が are other letters than и and か."""
    if category in EMOJI_CATEGORIES and _within(ord(char), EMOJI):
        return f" {_private(ord(char))} "
    if category[0] in "PSZ" or category in ("Cc", "Cs"):
        return " "
    base, name = unicodedata.normalize("NFD", char)[0], unicodedata.name(char, "")
    if base != char and name.startswith(("LATIN ", "GREEK ")):
        return FOLDS[ord(base)]
    letter, _, stroke = name.removeprefix("LATIN SMALL LETTER ").partition(" WITH ")
    return letter.lower() if stroke and len(letter) == 1 else char


def _private(code: int) -> str:
    return chr(PRIVATE | code & 0xFFFF)


# --- what is fed to the index

WORD = "[^\x00-/:-@\\[-`{-\x7f\u2063]"  # what can be in a token once a text is folded: no ASCII signs, no glue
KANA = "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
SOUTHEAST = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f"  # Thai, Lao, Burmese, Khmer
HAN = "\u3005-\u3007\u303b\u3105-\u312f\u31a0-\u31bf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff"
FLAGS = f"{_private(FLAG_LETTERS.start)}-{_private(FLAG_LETTERS.stop - 1)}"
SEGMENT = re.compile(f"[{KANA}{SOUTHEAST}{HAN}{HANGUL}{GLUE}]+|[{FLAGS}]{{1,2}}")
# What stays together: jamo of a syllable, a letter with its marks, stacked consonants of Burmese and Khmer, narrow
# kana with its voicing.
GRAPHEME = re.compile(
    "(?:[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|.)(?:[\u1039\u17d2].|[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
    "\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d"
    "\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u17b4-\u17d3\u17dd\u3099\u309a\uff9e\uff9f])*"
)
BEYOND_ASCII = re.compile("[^\x00-\x7f]+")
# Normalizing a pile of marks takes the square of its height (40,000: 1.2 s), so tall piles are taken down first.
FLOOD, FLOOD_FROM = re.compile(r"[^\w\s]{64,}"), 256
PERSIAN_JOINT = re.compile(f"{ZWNJ}(?<=[\u0600-\u06ff]{ZWNJ})(?=[\u0600-\u06ff])")
GERSHAYIM = re.compile('"(?<=[\u05d0-\u05ea]")(?=[\u05d0-\u05ea])')  # צה"ל is one word
# don't, O'Brien, п'ять are one word; any other apostrophe separates, so that Maya's and l'école hold maya and école.
# Like the ones below, the pattern starts with its literal, which `re` finds at memory speed.
APOSTROPHE = re.compile(
    rf"'(?<={WORD}')(?:(?<=[Nn]')(?=[Tt](?!{WORD}))|(?<=[Oo]')(?<!{WORD}.')(?={WORD})"
    r"|(?<=[^\x00-\x7f]')(?=[^\x00-\x7f]))"
)
# Names that would be only "c", "f" or "net". A single letter is spelled out with its sign (so that C is not C++),
# a longer word keeps itself beside it (notepad plusplus).
PLUSPLUS_LETTER = re.compile(rf"\+\+(?<=[A-Za-z]\+\+)(?<!{WORD}.\+\+)(?!\+)")
PLUSPLUS_WORD = re.compile(rf"\+\+(?<={WORD}\+\+)(?!\+)")
SHARP = re.compile(rf"#(?<=[A-Za-z]#)(?<!{WORD}.#)(?![A-Za-z_#]|[^\x00-\x7f])")
DOTNET = re.compile(
    rf"\.[Nn][Ee][Tt](?!{WORD})(?:(?<!{WORD}....)|(?:(?<=[Aa][Ss][Pp]....)|(?<=[Aa][Dd][Oo]....))(?<!{WORD}.......)"
    rf"|(?<=[Vv][Bb]....)(?<!{WORD}......))"
)
DOTNET_HOSTS = frozenset({"asp", "ado", "vb"})  # the words DOTNET admits before it


def index_text(text: str) -> str:
    """Prepare a text for the index; plain ASCII comes back as it is, and so, but for spaces, does a prepared text."""
    if not text.isascii():
        text = _plain_letters(text)
    if "'" in text:
        text = APOSTROPHE.sub("", text)
    if "++" in text:
        text = PLUSPLUS_WORD.sub(" plusplus ", PLUSPLUS_LETTER.sub("plusplus ", text))
    if "#" in text:
        text = SHARP.sub("sharp ", text)
    if ".n" in text or ".N" in text:
        text = DOTNET.sub(" dotnet", text)
    return text


def _plain_letters(text: str) -> str:
    """Fold and segment what is beyond ASCII; ASCII keeps its case, which unicode61 lowers."""
    if ZWNJ in text:
        text = PERSIAN_JOINT.sub(" ", text)
    text = BEYOND_ASCII.sub(_plain_run, text)
    return GERSHAYIM.sub("", text) if '"' in text else text


def _plain_run(match: re.Match[str]) -> str:
    run = match.group()
    return _known_run(run) if len(run) <= MAX_SHORT else _read_run(run)


def _read_run(run: str) -> str:
    if len(run) > FLOOD_FROM:
        run = FLOOD.sub(_drained, run)
    folded = unicodedata.normalize("NFC", run).translate(FOLDS)
    # What fell away may have stood between two parts of one character, hence NFC again.
    return SEGMENT.sub(_segment, unicodedata.normalize("NFC", folded))


def _drained(match: re.Match[str]) -> str:
    return "".join(char for char in match.group() if not unicodedata.combining(char))


_known_run = lru_cache(maxsize=MAX_WORDS)(_read_run)


def _segment(match: re.Match[str]) -> str:
    run = match.group()
    if GLUE in run:  # it was segmented before
        return f" {GLUE.join(_glued(part) for part in run.split(GLUE))} "
    return f" {run} " if run[0] >= chr(PRIVATE) else f" {_pairs(run)} "


def _glued(part: str) -> str:
    return _pairs(part) if len(_graphemes(part)) > 2 else part  # noqa: PLR2004  (a pair, or the last of a run)


def _pairs(run: str) -> str:
    """Overlapping pairs of graphemes and the last one alone, so that any one can be found by its beginning."""
    units = _graphemes(run)
    return GLUE.join((*map(add, units, units[1:]), units[-1]))


def _graphemes(run: str) -> Sequence[str]:
    return run if run.isalpha() else GRAPHEME.findall(run)  # marks are no letters


# --- tokens in place

# A text's classes, one for each character: a ASCII letter once folded, 0 digit, w other letter or mark, s a word in
# one sign (½), n script without spaces, g glue, e emoji, r letter of a flag, k keycap, x j z invisible (j ZWJ,
# z ZWNJ); ASCII punctuation stands for itself, a space for everything else that separates.
ONE_SHARP = r"a[xjz]*\#(?![xjz]*[aw_\#])"
PIECE = re.compile(
    r"(?P<emoji>(?:[0#*][xjz]*k|k|r(?:[xjz]*r)?|e(?:[xz]*j[xjz]*e)*)[xz]*)"
    r"|(?P<run>[ng][nxjzg]*)"
    rf"|(?P<word>s|{ONE_SHARP}|[a0w][a0wxjz]*(?:['\"][xjz]*(?!{ONE_SHARP})[a0w][a0wxjz]*)*"
    rf"(?:\+[xjz]*\+(?![xjz]*\+)|['\"][xjz]*{ONE_SHARP})?)"
)
SILENT = "xjz"
SPECIAL_CLASSES = {ZWNJ: "z", "\u200d": "j", "\u20e3": "k", GLUE: "g"}
TOKEN = re.compile(f"{WORD}+")
PART = re.compile(f"[^'\"״{APOSTROPHES}{ZWNJ}]+")  # of a word with something inside that may separate
FLAG = re.compile(f"[{FLAGS}]")
PHONETIC = re.compile(f"[{KANA}{SOUTHEAST}]+")

_Token = tuple[str, int, int]  # a token as the index has it before stemming, and where the text holds it
_Piece = tuple[str, list[_Token]]  # "word", "run" or "emoji", with its tokens


class _Classes(dict[int, str]):
    """For str.translate: each character's class, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        found = _class_of(chr(code))
        if len(self) < MAX_CHARACTERS:
            self[code] = found
        return found


CLASSES = _Classes()


def _class_of(char: str) -> str:
    if char in SPECIAL_CLASSES:
        return SPECIAL_CLASSES[char]
    fold = FOLDS[ord(char)].casefold()
    token = TOKEN.search(fold)
    if token is None:
        mark = fold.strip()[:1]
        return (mark if mark.isprintable() else "") or ("x" if not fold else " ")
    first = token.group()[0]
    if FLAG.match(first):
        return "r"
    if SEGMENT.match(first):
        return "n"
    if fold[0] == " ":
        return "e" if ord(first) >= PRIVATE else "s"
    return "0" if "0" <= first <= "9" else "a" if len(fold) == 1 and first.isascii() else "w"


def _pieces(text: str) -> Iterator[_Piece]:
    """Cut a text into words, runs and emoji, each with the tokens the index has for it."""
    classes = text.translate(CLASSES)
    before: _Piece = ("", [])
    for match in PIECE.finditer(classes):
        start, stop = match.span()
        piece = text[start:stop]
        if piece.isascii() and piece.isalnum():
            kind, tokens = "word", [(piece.lower(), start, stop)]
        else:
            kind = match.lastgroup or ""
            tokens = (_run_tokens if kind == "run" else _word_tokens)(piece, start)
        if tokens and tokens[0][0] == "net":
            tokens = _dotnet(tokens, classes, before)
        if tokens:  # a run may be nothing but glue
            before = kind, tokens
            yield before


def _word_tokens(piece: str, offset: int) -> list[_Token]:
    """The tokens of a word or emoji; with an apostrophe inside, each is placed on its own part."""
    words = _words(piece)
    found: list[_Token] = []
    held, begin = "", 0
    for part in PART.finditer(piece):
        begin = begin if held else part.start()
        held += "".join(_words(part.group()))
        if held == words[len(found)]:
            found.append((held, offset + begin, offset + part.end()))
            held = ""
        if len(found) == len(words):
            return found
    return found + [(word, offset, offset + len(piece)) for word in words[len(found) :]]


def _words(piece: str) -> tuple[str, ...]:
    return _known_words(piece) if len(piece) <= MAX_TOKEN else _read_words(piece)


def _read_words(piece: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in TOKEN.findall(index_text(piece)))


_known_words = lru_cache(maxsize=MAX_WORDS)(_read_words)


def _run_tokens(piece: str, offset: int) -> list[_Token]:
    """The pairs of a run and its last grapheme, in place; none for a run of nothing but glue."""
    pairs = _words(piece)
    units = [(at, at + 1) for at in range(len(piece))] if len(pairs) == len(piece) else _units(piece)
    units = (units + units[-1:] * len(pairs))[: len(pairs)]  # they differ only in runs that are no language
    ends = [stop for _, stop in units[1:] + units[-1:]]
    return [(pair, offset + start, offset + stop) for pair, (start, _), stop in zip(pairs, units, ends, strict=True)]


def _units(run: str) -> list[tuple[int, int]]:
    """Where the graphemes of an unfolded run lie: one that unfolds counts as several, an invisible one as none."""
    units = [(0, 0)]
    for match in GRAPHEME.finditer(run):
        count = len(_words(match.group()))
        if count == 0:
            units[-1] = (units[-1][0], match.end())
        units += [match.span()] * count
    return units[1:] or units


def _dotnet(tokens: list[_Token], classes: str, before: _Piece) -> list[_Token]:
    """Read ".net" as DOTNET does: at the beginning of a word, or after asp, ado, vb."""
    _, start, stop = tokens[0]
    dot = _seen_before(classes, start) - 1
    if dot < 0 or classes[dot] != ".":
        return tokens
    end, (kind, hosts) = _seen_before(classes, dot), before
    joined = kind == "word" and hosts[-1][2] >= end and classes[end - 1] not in "+#s"
    return tokens if joined and hosts[-1][0] not in DOTNET_HOSTS else [("dotnet", dot, stop), *tokens[1:]]


def _seen_before(classes: str, at: int) -> int:
    while at and classes[at - 1] in SILENT:
        at -= 1
    return at


# --- the terms of a query

JOINT = re.compile(r"|[-_/.:@#&+~\\=]|://|:[:\\/]|[\\/]\.")  # what may stand between the parts of one id
LOOSE_JOINTS = frozenset("-/:&")  # what also joins ordinary words: long-term, client/server, status:done
SCHEMES = frozenset({"http", "https"})
SIGNS = frozenset("+#＋＃♯")  # the end of C++, C#, C♯
CLITICS = frozenset({"s", "ll", "re", "ve", "d", "m"})  # after an apostrophe: Maya's, I'll; nothing to look for
MIN_PART = 3  # letters: the "e" of "e-mail" finds nothing worth having


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for.

    Attributes:
        match: a complete FTS5 string expression: a quoted phrase of tokens, with * when its last is a beginning.
        shown: the query's own words for it.
        stop: too common to find anything by; worth searching only when nothing else is left.
        exact: an id, a path, a version, a name with signs in it: what was typed is what is meant.
    """

    match: str
    shown: str
    stop: bool = False
    exact: bool = False


@dataclass(frozen=True, slots=True)
class _Asked:
    """A query being read; `first` is where its first word starts."""

    text: str
    first: int
    shouted: bool

    def term(self, tokens: Sequence[_Token], *, open_ended: bool = False, exact: bool = False) -> Term:
        """Make the term of some tokens in a row, of the first MAX_PARTS if they are more."""
        tokens = tokens[:MAX_PARTS]
        match = _match([word for word, _, _ in tokens], open_ended=open_ended)
        shown = self.text[tokens[0][1] : max(stop for _, _, stop in tokens)]
        return Term(match, shown, stop=not exact and self.is_stop(tokens), exact=exact)

    def is_stop(self, tokens: Iterable[_Token]) -> bool:
        """Whether all of them are stop words as typed."""
        return all(self._is_stop(start, stop) for _, start, stop in tokens)

    def _is_stop(self, start: int, stop: int) -> bool:
        lists, typed = _stop_words(), self.text[start:stop]
        word, acronym = typed.casefold(), typed.isupper() and len(typed) > 1
        plain = self.shouted or (start == self.first and not acronym)
        if word in lists.english:
            return plain or typed not in lists.typed
        return word in lists.other and (plain or typed == word)


def query_terms(query: str) -> tuple[Term, ...]:
    """Read a query as terms, in its order and without repeats; nothing of it ever becomes FTS5 syntax.

    Joined with " OR " their `match` expressions are a valid FTS5 query. A script without spaces gives a term for
    each pair of graphemes, or three where letters are phonetic; an id gives one phrase of its parts, and the
    parts too when they are ordinary words (long-term). Of more than MAX_TERMS the ids and the longest words stay.
    """
    text = _ends(query)
    pieces = list(_pieces(text))
    asked = _Asked(text, pieces[0][1][0][1] if pieces else 0, text.isupper())
    found: dict[str, Term] = {}
    for chain in _chains(pieces, text.translate(CLASSES)):
        for term in _terms(asked, chain):
            found.setdefault(term.match, term)
    return _most_telling(tuple(found.values()))


def _ends(query: str) -> str:
    if len(query) > MAX_READ:
        query = " ".join(query.split())
    half = MAX_READ // 2
    return query if len(query) <= MAX_READ else f"{query[:half]} {query[-half:]}"


def _most_telling(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Keep MAX_TERMS: ids, then content words, long before short (long words are rare), then what is nearer an end."""
    last = len(terms) - 1
    if last < MAX_TERMS:
        return terms

    def rank(at: int) -> tuple[bool, bool, int, int]:
        term = terms[at]
        return term.stop, not term.exact, -len(term.shown), min(at, last - at)

    return tuple(terms[at] for at in sorted(sorted(range(len(terms)), key=rank)[:MAX_TERMS]))


def _match(words: Sequence[str], *, open_ended: bool) -> str:
    whole = next((at for at, word in enumerate(words) if len(word) > MAX_TOKEN), None)
    if whole is not None:
        words, open_ended = [*words[:whole], words[whole][:MAX_TOKEN]], True
    return f'"{" ".join(words)}"{"*" * open_ended}'


def _chains(pieces: list[_Piece], classes: str) -> Iterator[list[_Piece]]:
    """Group what is typed without a space: the words of an id, or a number and the counter after it (5月)."""
    chain: list[_Piece] = []
    for piece in pieces:
        if chain and (len(chain) == MAX_PARTS or not _joined(chain[-1], piece, classes)):
            yield chain
            chain = []
        chain.append(piece)
    if chain:
        yield chain


def _joined(before: _Piece, after: _Piece, classes: str) -> bool:
    (left, left_tokens), (right, right_tokens) = before, after
    if left != "word" or right == "emoji":
        return False
    (word, _, stop), (following, start, _) = left_tokens[-1], right_tokens[0]
    gap = classes[stop:start]
    if right == "run":
        return not gap and word.isdigit() and len(right_tokens) == 1
    return JOINT.fullmatch(gap) is not None or (gap == "," and word.isdigit() and following.isdigit())


def _terms(asked: _Asked, chain: list[_Piece]) -> Iterator[Term]:
    *words, (kind, tokens) = chain
    if kind == "word":
        words = chain
    if words:
        yield from _id_terms(asked, words) if words[1:] else _word_terms(asked, words[0][1])
    if kind == "emoji":
        yield asked.term(tokens)
    elif kind == "run" and words:  # a number and its counter, open: "5 月"* finds 5月份
        yield asked.term((words[-1][1][-1], *tokens), open_ended=True)
    elif kind == "run":
        yield from _run_terms(asked, tokens)


def _run_terms(asked: _Asked, tokens: list[_Token]) -> Iterator[Term]:
    """Windows over a run: pairs, or three graphemes where they are letters; a lone one is a beginning."""
    single = [len(_graphemes(word)) == 1 for word, _, _ in tokens] + [True]
    covered = False
    for at, token in enumerate(tokens):
        wide = not single[at] and not single[at + 1] and PHONETIC.fullmatch(token[0] + tokens[at + 1][0])
        if wide:
            yield asked.term(tokens[at : at + 2])
        elif single[at] and single[at - 1]:  # not the end of a run; before the first stands the True at the end
            yield asked.term([token], open_ended=True)
        elif not single[at] and not covered:
            yield asked.term([token])
        covered = bool(wide)


def _word_terms(asked: _Asked, tokens: list[_Token]) -> Iterator[Term]:
    if asked.text[tokens[0][1]] == "." or asked.text[tokens[-1][2] - 1] in SIGNS:
        yield asked.term(tokens, exact=True)
        return
    for token in tokens[:1] + [token for token in tokens[1:] if token[0] not in CLITICS]:
        term = asked.term([token], exact=_has_digit_and_letter(token[0]))
        elided = len(tokens) > 1 and token[0] in _stop_words().elided
        yield replace(term, stop=True) if elided else term


def _id_terms(asked: _Asked, chain: list[_Piece]) -> Iterator[Term]:
    tokens = [token for _, found in chain for token in found]
    if tokens[0][0] in SCHEMES and tokens[2:]:
        del tokens[0]  # a page is the same page with and without https://
    if tokens[-1][0] in CLITICS and len(chain[-1][1]) > 1:
        del tokens[-1]
    loose = _is_loose(asked, tokens)
    if not (loose and asked.is_stop(tokens)):
        yield asked.term(tokens, exact=True)
    for token in tokens if loose else ():
        part = asked.term([token])
        if part.stop or len(token[0]) >= MIN_PART:
            yield part


def _is_loose(asked: _Asked, tokens: list[_Token]) -> bool:
    """Whether joined words are ordinary words in a row rather than an id."""
    gaps = {asked.text[stop:start] for (_, _, stop), (_, start, _) in pairwise(tokens)}
    return gaps <= LOOSE_JOINTS and all(word.isalpha() for word, _, _ in tokens)


def _has_digit_and_letter(word: str) -> bool:
    return not word.isdigit() and any("0" <= char <= "9" for char in word)


@dataclass(frozen=True, slots=True)
class _StopWords:
    english: frozenset[str]
    other: frozenset[str]
    typed: frozenset[str]
    elided: frozenset[str]


@cache
def _stop_words() -> _StopWords:
    data = tomllib.loads(resources.files("noosphere.store").joinpath("stopwords.toml").read_text(encoding="utf-8"))
    english, *others = data["list"]
    return _StopWords(
        english=frozenset(english["words"].split()),
        other=frozenset(word for each in others for word in each["words"].split()),
        typed=frozenset(english["typed"].split()),
        elided=frozenset(data["elision"]["words"].split()),
    )


# --- terms in a text


def matched_terms(text: str, terms: Sequence[Term]) -> tuple[str, ...]:
    """Which terms a text holds, as shown, in the order of the terms: exactly those FTS5 finds it by."""
    held = {index for _, _, index in find_spans(text, terms)}
    return tuple(dict.fromkeys(terms[index].shown for index in sorted(held)))


def find_spans(text: str, terms: Sequence[Term]) -> list[tuple[int, int, int]]:
    """Where a text holds the terms: (start, stop, index of the term), by start; spans may overlap."""
    if not terms:
        return []
    wanted = _wanted(terms)
    tokens = [token for _, found in _pieces(text) for token in found]
    spans: list[tuple[int, int, int]] = []
    for at, (word, start, _) in enumerate(tokens):
        for index, stems, open_ended in wanted.get(word[0], ()):
            found = tokens[at : at + len(stems)]
            if _agrees(found, stems, open_ended=open_ended):
                spans.append((start, max(stop for _, _, stop in found), index))
    return spans


def _wanted(terms: Sequence[Term]) -> dict[str, list[tuple[int, list[str], bool]]]:
    """Each term's stems, under the first letter of the first word: stemming leaves that letter alone."""
    wanted: dict[str, list[tuple[int, list[str], bool]]] = {}
    for index, term in enumerate(terms):
        words = term.match.strip('"*').split()
        stems = [_stem(word) for word in words]
        wanted.setdefault(words[0][0], []).append((index, stems, term.match.endswith("*")))
    return wanted


def _agrees(tokens: list[_Token], stems: list[str], *, open_ended: bool) -> bool:
    found = [_stem(word) for word, _, _ in tokens]
    if open_ended and len(found) == len(stems) and found[-1].startswith(stems[-1]):
        found[-1] = stems[-1]
    return found == stems


# --- stems

# Porter, "An algorithm for suffix stripping" (1980), with the changes of his later program (bli, logi), as FTS5
# runs it: on bytes, on tokens of 3 to 64 of them, and never taking a suffix that is the whole word. In each list
# the first suffix that fits decides, whether or not its condition holds.
STEM_BYTES = range(3, 65)
LATER = (
    *(("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("logi", "log")),
    *(("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize")),
    *(("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous")),
    *(("aliti", "al"), ("iviti", "ive"), ("biliti", "ble")),
)
LATER_STILL = (
    *(("ical", "ic"), ("ness", ""), ("icate", "ic"), ("iciti", "ic"), ("ful", "")),
    *(("ative", ""), ("alize", "al")),  # codespell:ignore ative
)
ENDINGS = (
    *(("al", ""), ("ance", ""), ("ence", ""), ("er", ""), ("ic", ""), ("able", ""), ("ible", ""), ("ant", "")),
    *(("ement", ""), ("ment", ""), ("ent", ""), ("ion", ""), ("ou", ""), ("ism", "")),  # codespell:ignore ment
    *(("ate", ""), ("iti", ""), ("ous", ""), ("ive", ""), ("ize", "")),
)


@lru_cache(maxsize=MAX_WORDS)
def _stem(token: str) -> str:
    """The stem FTS5 keeps for a token."""
    raw = token if token.isascii() else token.encode().decode("latin-1")  # a byte is a letter
    if not "a" <= token[-1] <= "z" or len(raw) not in STEM_BYTES:
        return token  # every rule begins at a last letter
    word = _past(_plural(raw))
    if word[-1] == "y" and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    for rules, least in ((LATER, 1), (LATER_STILL, 1), (ENDINGS, 2)):
        word = _swapped(word, rules, least)
    word = _tidied(word)
    return word if token.isascii() else word.encode("latin-1").decode(errors="surrogateescape")


def _shape(word: str) -> str:
    """Consonants and vowels; y is a vowel after a consonant."""
    shape = ""
    for letter in word:
        shape += "v" if letter in "aeiou" or (letter == "y" and shape[-1:] == "c") else "c"
    return shape


def _measure(word: str) -> int:
    return _shape(word).count("vc")


def _ends_short(word: str) -> bool:
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if any(word.endswith(suffix) and len(word) > len(suffix) for suffix in ("sses", "ies")):
        return word[:-2]
    return word[:-1] if word[-1] == "s" and word[-2] != "s" else word


def _past(word: str) -> str:
    """Take -ed and -ing off, and mend what is left: hopping → hop, hoping → hope."""
    if word.endswith("eed") and len(word) > len("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for suffix in ("ed", "ing"):
        stem = word.removesuffix(suffix)
        if stem != word and "v" in _shape(stem):
            return _mended(stem)
    return word


def _mended(stem: str) -> str:
    if stem.endswith(("at", "bl", "iz")) and len(stem) > len("at"):
        return stem + "e"
    if stem[-2:-1] == stem[-1] and stem[-1] not in "aeioulsz":
        return stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _ends_short(stem) else stem


def _swapped(word: str, rules: Iterable[tuple[str, str]], least: int) -> str:
    """Replace the first suffix that fits when the rest measures at least so much."""
    for suffix, plain in rules:
        if word.endswith(suffix) and len(word) > len(suffix):
            rest = word[: -len(suffix)]
            fits = _measure(rest) >= least and (suffix != "ion" or rest[-1] in "st")
            return rest + plain if fits else word
    return word


def _tidied(word: str) -> str:
    rest = word[:-1]
    if word[-1] == "e" and (_measure(rest) > 1 or (_measure(rest) == 1 and not _ends_short(rest))):
        word = rest
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
