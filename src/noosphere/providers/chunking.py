"""Cuts a text into overlapping chunks, from the places of its words and how many tokens each costs.

Pure functions over offsets. A text goes through in three steps, each of bounded memory: `pieces` gives
stretches to tokenise one at a time, `words_of` groups the tokens of a piece into words, and `cut` joins
words into chunks. A chunk begins and ends between words, so its text alone has the same tokens again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from noosphere.providers.ports import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LIMIT = 240  # tokens in a chunk; the encoder was trained on 256, two are special, the rest is margin
OVERLAP = 40  # tokens shared by neighbours, so that a sentence at a cut is whole in one of them
SLACK = 48  # tokens a chunk may give up for a better end: a fifth, and about two sentences
PIECE = 4096  # characters tokenised at once, and the longest a word can be
WIDEST = 2 * PIECE  # characters in a chunk: 240 English tokens are about 1,100, a blob of noise has no bound
WIDEST_OVERLAP = PIECE // 4  # characters shared by neighbours, for the same reason

INSIDE, SPACE, SENTENCE, PARAGRAPH = range(4)  # how good a place for an end, worst first
TERMINATORS = (".", "!", "?", "…", "。", "！", "？", "।", "؟", "።")
CLOSERS = "\"'”’»)]}*_」』）"
CLOSERS_READ = 4  # characters looked at for a full stop behind quotes and brackets
SURROGATES = re.compile("[\ud800-\udfff]")


class Word(NamedTuple):
    """A stretch of text that is not cut, with the number of tokens it costs."""

    start: int
    stop: int
    tokens: int


def legible(text: str) -> str:
    """Put a space for every lone surrogate, which no tokenizer takes; the length stays the same."""
    return text if text.isascii() else SURROGATES.sub(" ", text)


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield consecutive stretches of at most PIECE characters, ending after a space where there is one."""
    start = 0
    while start < len(text):
        stop = min(start + PIECE, len(text))
        if stop < len(text):
            stop = next((i for i in range(stop, start + PIECE // 2, -1) if text[i - 1].isspace()), stop)
        yield start, stop
        start = stop


def words_of(
    text: str, piece: tuple[int, int], offsets: Sequence[tuple[int, int]], groups: Sequence[int | None]
) -> Iterator[Word]:
    """Group the tokens of one piece into words.

    What the tokenizer dropped (control characters, stray accents) goes with the word before it, at the
    start of a piece with the word after it: every character that is not a space is in some word.

    Args:
        text: the whole text.
        piece: the stretch that was tokenised.
        offsets: of each token, in characters from the start of the piece.
        groups: of each token, the number of the word it is part of.
    """
    begin, end = piece
    end = begin + len(text[begin:end].rstrip())
    start, tokens, group = end - len(text[begin:end].lstrip()), 0, None
    if start >= end:
        return
    for (at, _), own in zip(offsets, groups, strict=True):
        if tokens and own != group and begin + at > start:
            yield Word(start, _rstrip(text, start, begin + at), tokens)
            start, tokens = begin + at, 0
        tokens, group = tokens + 1, own
    yield Word(start, end, tokens)


def _rstrip(text: str, start: int, stop: int) -> int:
    """Step back from `stop` over the spaces before it."""
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    return stop


def cut(text: str, words: Iterable[Word], *, limit: int = LIMIT, overlap: int = OVERLAP) -> Iterator[Chunk]:
    """Join words into chunks of at most `limit` tokens and WIDEST characters.

    A chunk ends at the last paragraph, else sentence, else space within its last SLACK tokens, and the
    next one begins at most `overlap` tokens before that end, with a sentence if one begins there.
    A single word that costs more than the limit stands alone.
    """
    window: list[Word] = []
    size = shared = 0  # tokens in the window, and how many of its words the last chunk holds already
    for word in words:
        while window and not _fits(window[0].start, size, word, limit):
            end = _end(text, window, word, shared)
            yield Chunk(window[0].start, window[end - 1].stop)
            start = _resume(text, window, word, end=end, limit=limit, overlap=overlap)
            window, shared = window[start:], end - start
            size = sum(kept.tokens for kept in window)
        window.append(word)
        size += word.tokens
    if window:
        yield Chunk(window[0].start, window[-1].stop)


def _fits(start: int, size: int, word: Word, limit: int) -> bool:
    return size + word.tokens <= limit and word.stop - start <= WIDEST


def _end(text: str, window: Sequence[Word], following: Word, shared: int) -> int:
    """How many words of the window the chunk keeps: up to its best end, the last of equals.

    The first `shared` words are in the last chunk, so the chunk ends after them.
    """
    best, best_break, spent, after = len(window), -1, 0, following
    for end in range(len(window), shared, -1):
        grade = _grade(text, window[end - 1], after)
        if grade > best_break:
            best, best_break = end, grade
        after = window[end - 1]
        spent += after.tokens
        if spent > SLACK:
            break
    return best


def _resume(text: str, window: Sequence[Word], following: Word, *, end: int, limit: int, overlap: int) -> int:
    """Where in the window the next chunk begins, so that the following word still fits it."""
    first, shared = end, 0
    size = sum(word.tokens for word in window[end:])
    sentence = None
    for start in range(end - 1, 0, -1):
        word = window[start]
        shared += word.tokens
        too_wide = window[end - 1].stop - word.start > WIDEST_OVERLAP
        if shared > overlap or too_wide or not _fits(word.start, size + shared, following, limit):
            break
        first = start
        if shared * 2 >= overlap and _grade(text, window[start - 1], word) >= SENTENCE:
            sentence = start
    return first if sentence is None else sentence


def _grade(text: str, before: Word, after: Word) -> int:
    """How good it is to cut between two neighbouring words."""
    gap = text[before.stop : after.start]
    lines = gap.count("\n")
    if lines > 1:
        return PARAGRAPH
    tail = text[max(0, before.stop - CLOSERS_READ) : before.stop].rstrip(CLOSERS)
    if lines or (tail.endswith(TERMINATORS) and (gap or not tail[-1].isascii())):
        return SENTENCE
    return SPACE if gap else INSIDE
