"""Stems as FTS5 makes them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_WORDS = 16_384  # words whose fold, tokens and stem are remembered

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
def stem(token: str) -> str:
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
