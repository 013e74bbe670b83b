"""The fold: what is fed to the index, with letters made plain and scripts without spaces segmented."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache, lru_cache
from importlib import resources
from operator import add
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_WORDS = 16_384  # words whose fold, tokens and stem are remembered
MAX_SHORT = 24  # characters of a run worth remembering: é, ’, a word in Cyrillic; not a sentence in Chinese
MAX_CHARACTERS = 65_536  # characters whose fold is remembered, far above what real texts use

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
    **{chr(code): chr(code + 0x60) for code in (*range(0x3041, 0x3097), 0x309D, 0x309E)},  # さんど is サンド
    **dict.fromkeys("ـ", ""),  # tatweel only stretches a word
    "ँ": "ं",  # Hindi writes either for a nasal vowel
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
SYLLABLES = ((0xAC00, 0xD7A3),)  # Hangul folds to itself: the quick way out
IDEOGRAPHS = ((0x3400, 0x9FFF),)  # Han, but for the rare


class _Folds(dict[int, str]):
    """For str.translate: each character's fold, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        if code < ASCII or _within(code, SYLLABLES):
            fold = chr(code)
        else:
            fold = simplified().get(code) or chr(code) if _within(code, IDEOGRAPHS) else _fold(chr(code))
        if len(self) < MAX_CHARACTERS:
            self[code] = fold
        return fold


FOLDS = _Folds()


@cache
def simplified() -> dict[int, str]:
    """The simplified form of each Han character that has one."""
    data = tomllib.loads(resources.files("noosphere.store.words").joinpath("han.toml").read_text(encoding="utf-8"))
    old, new = ("".join(data[form].split()) for form in ("traditional", "simplified"))
    return {ord(before): after for before, after in zip(old, new, strict=True)}


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
        return private(code)  # _segment pairs them
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
        return f" {private(ord(char))} "
    if category[0] in "PSZ" or category in ("Cc", "Cs"):
        return " "
    base, name = unicodedata.normalize("NFD", char)[0], unicodedata.name(char, "")
    if base != char and name.startswith(("LATIN ", "GREEK ")):
        return FOLDS[ord(base)]
    letter, _, stroke = name.removeprefix("LATIN SMALL LETTER ").partition(" WITH ")
    return letter.lower() if stroke and len(letter) == 1 else char


def private(code: int) -> str:
    """The private-use letter that stands for a code point of an emoji."""
    return chr(PRIVATE | code & 0xFFFF)


WORD = "[^\x00-/:-@\\[-`{-\x7f\u2063]"  # what can be in a token once a text is folded: no ASCII signs, no glue
TOKEN = re.compile(f"{WORD}+")
KANA = "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
SOUTHEAST = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f"  # Thai, Lao, Burmese, Khmer
HAN = "\u3005-\u3007\u303b\u3105-\u312f\u31a0-\u31bf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff"
FLAGS = f"{private(FLAG_LETTERS.start)}-{private(FLAG_LETTERS.stop - 1)}"
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
# The article of Arabic and Hebrew is written in one word with its noun, which is meant without it as well; and Hindi
# writes a nasal before its own consonants in two ways (हिन्दी, हिंदी).
ALEF_LAM, HE = "\u0627\u0644", "\u05d4"
ARTICLE = re.compile(
    f"(?<![\u0621-\u064a])(?:{ALEF_LAM})+(?=[\u0621-\u064a]{{3}})|(?<![\u05d0-\u05ea]){HE}+(?=[\u05d0-\u05ea]{{3}})"
)
VIRAMA = "\u094d"
NASAL = re.compile(
    f"\u0919{VIRAMA}(?=[\u0915-\u0918])|\u091e{VIRAMA}(?=[\u091a-\u091d])|\u0923{VIRAMA}(?=[\u091f-\u0922])"
    f"|\u0928{VIRAMA}(?=[\u0924-\u0927])|\u092e{VIRAMA}(?=[\u092a-\u092d])"
)
ANUSVARA = "\u0902"
COLOUR = re.compile(r"\x1b\[[0-9;:?]*[A-Za-z]")  # what a terminal is told, typed as part of the word after it
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
    text = colourless(text)
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


def colourless(text: str) -> str:
    """A text with spaces in place of what it tells a terminal."""
    return COLOUR.sub(lambda told: " " * len(told.group()), text) if "\x1b" in text else text


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
    if ALEF_LAM in folded or HE in folded:
        folded = ARTICLE.sub("", folded)
    if VIRAMA in folded:
        folded = NASAL.sub(ANUSVARA, folded)
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
    return _pairs(part) if len(graphemes(part)) > 2 else part  # noqa: PLR2004  (a pair, or the last of a run)


def _pairs(run: str) -> str:
    """Overlapping pairs of graphemes and the last one alone, so that any one can be found by its beginning."""
    units = graphemes(run)
    return GLUE.join((*map(add, units, units[1:]), units[-1]))


def graphemes(run: str) -> Sequence[str]:
    """Cut a run into what a reader takes for one character."""
    return run if run.isalpha() else GRAPHEME.findall(run)  # marks are no letters
