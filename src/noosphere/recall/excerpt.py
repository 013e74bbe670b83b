"""Excerpts: a long text shows its head and the best window around the match, and says what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

HEAD_SHARE = 4  # the head takes a quarter of the room
NOTE_ROOM = 60  # characters kept free for the note of what was left out
MIN_PIECE = 40


def best_span(
    length: int, spans: Sequence[tuple[int, int, int]], hint: tuple[int, int] | None, width: int
) -> tuple[int, int]:
    """Where the match lies: the window of `width` characters with the most distinct terms, else the lane's hint.

    Of several with as many, the first that meets the hint. `spans` are those of words.spans.find_spans; the result runs
    from the first to the last term in the window.
    """
    best, most = hint or (0, min(length, width)), (0, False)
    left = 0
    for right, (_, stop, _) in enumerate(spans):
        while stop - spans[left][0] > width and left < right:
            left += 1
        distinct = len({term for _, _, term in spans[left : right + 1]})
        met = distinct, hint is not None and spans[left][0] < hint[1] and stop > hint[0]
        if met > most:
            best, most = (spans[left][0], stop), met
    return best


def excerpt(text: str, span: tuple[int, int], limit: int, whole: str) -> str:
    """Cut a text to at most `limit` characters around a span.

    Args:
        text: the whole text.
        span: what must be seen, in characters of the text.
        limit: how long the result may be.
        whole: how to get all of it, for the note.
    """
    if len(text) <= limit:
        return text
    room = limit - NOTE_ROOM - len(whole)
    if room < MIN_PIECE:
        return text[: max(0, limit - 1)] + "…"
    head_room = room // HEAD_SHARE
    start = max(0, min(span[0] - (room - head_room - (span[1] - span[0])) // 2, len(text) - (room - head_room)))
    if start <= head_room:
        piece = _to_word(text, 0, room)
        return f"{piece} … [{len(text) - len(piece)} characters left out; {whole}]"[:limit]
    head, window = _to_word(text, 0, head_room), _to_word(text, start, start + room - head_room)
    left_out = len(text) - len(head) - len(window)
    return f"{head} … {window} … [{left_out} characters left out; {whole}]"[:limit]


def _to_word(text: str, start: int, stop: int) -> str:
    """A slice that does not begin or end inside a word, when a space is near."""
    piece = text[start:stop]
    if start > 0 and (gap := piece.find(" ")) in range(MIN_PIECE):
        piece = piece[gap + 1 :]
    if stop < len(text) and (gap := piece.rfind(" ")) > len(piece) - MIN_PIECE and gap > 0:
        piece = piece[:gap]
    return piece.strip()
