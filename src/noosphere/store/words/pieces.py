"""Tokens in place: a text cut as the index cuts it, each token with where the text holds it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from noosphere.store.words.fold import (
    APOSTROPHES,
    DOTNET_HOSTS,
    FLAGS,
    FOLDS,
    GLUE,
    GRAPHEME,
    KANA,
    MAX_CHARACTERS,
    MAX_WORDS,
    PRIVATE,
    SEGMENT,
    SOUTHEAST,
    TOKEN,
    ZWNJ,
    colourless,
    index_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_TOKEN = 128  # a longer token is found by its beginning; porter leaves tokens over 64 bytes alone, so that is safe

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
PART = re.compile(f"[^'\"״{APOSTROPHES}{ZWNJ}]+")  # of a word with something inside that may separate
FLAG = re.compile(f"[{FLAGS}]")
PHONETIC = re.compile(f"[{KANA}{SOUTHEAST}]+")

Token = tuple[str, int, int]  # a token as the index has it before stemming, and where the text holds it
Piece = tuple[str, list[Token]]  # "word", "run" or "emoji", with its tokens


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


def pieces(text: str) -> Iterator[Piece]:
    """Cut a text into words, runs and emoji, each with the tokens the index has for it."""
    text = colourless(text)
    classes = text.translate(CLASSES)
    before: Piece = ("", [])
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


def _word_tokens(piece: str, offset: int) -> list[Token]:
    """The tokens of a word or emoji; with an apostrophe inside, each is placed on its own part."""
    words = words_of(piece)
    found: list[Token] = []
    held, begin = "", 0
    for part in PART.finditer(piece):
        begin = begin if held else part.start()
        held += "".join(words_of(part.group()))
        if held == words[len(found)]:
            found.append((held, offset + begin, offset + part.end()))
            held = ""
        if len(found) == len(words):
            return found
    return found + [(word, offset, offset + len(piece)) for word in words[len(found) :]]


def words_of(piece: str) -> tuple[str, ...]:
    """The tokens the index makes of a piece, before stemming."""
    return _known_words(piece) if len(piece) <= MAX_TOKEN else _read_words(piece)


def _read_words(piece: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in TOKEN.findall(index_text(piece)))


_known_words = lru_cache(maxsize=MAX_WORDS)(_read_words)


def _run_tokens(piece: str, offset: int) -> list[Token]:
    """The pairs of a run and its last grapheme, in place; none for a run of nothing but glue."""
    pairs = words_of(piece)
    units = [(at, at + 1) for at in range(len(piece))] if len(pairs) == len(piece) else _units(piece)
    units = (units + units[-1:] * len(pairs))[: len(pairs)]  # they differ only in runs that are no language
    ends = [stop for _, stop in units[1:] + units[-1:]]
    return [(pair, offset + start, offset + stop) for pair, (start, _), stop in zip(pairs, units, ends, strict=True)]


def _units(run: str) -> list[tuple[int, int]]:
    """Where the graphemes of an unfolded run lie: one that unfolds counts as several, an invisible one as none."""
    units = [(0, 0)]
    for match in GRAPHEME.finditer(run):
        count = len(words_of(match.group()))
        if count == 0:
            units[-1] = (units[-1][0], match.end())
        units += [match.span()] * count
    return units[1:] or units


def _dotnet(tokens: list[Token], classes: str, before: Piece) -> list[Token]:
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
