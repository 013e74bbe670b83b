"""Bytes of unknown encoding as text: byte order marks, UTF-16, and undecodable bytes replaced and counted."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import IO

BLOCK_BYTES = 262_144  # read at a time
UTF8 = "utf-8"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
BYTE_ORDER_MARKS = (  # the longer first: UTF-32 little endian begins with the mark of UTF-16
    (codecs.BOM_UTF8, UTF8),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
MARKLESS_BYTES = 64  # how much of a file without a mark must look like UTF-16
CONTROLS = re.compile(
    r"[\x00-\x07\x0b\x0e-\x1a\x1c-\x1f]"
)  # those no text holds: not tab, line ends, form feed, escape
MAX_CONTROLS = 0.02  # of a text's first characters; compressed data has a tenth
MAX_REPLACED = 0.3  # of the same: an accent in an old code page is rare, an image is nothing else


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, and how many undecodable byte sequences were replaced in it."""

    text: str
    replaced: int = 0

    @property
    def repairs(self) -> tuple[str, ...]:
        """What was mended, in words."""
        return (f"undecodable bytes replaced: {self.replaced}",) if self.replaced else ()


def encoding_of(head: bytes) -> tuple[str, int]:
    """Tell the encoding from a file's first bytes, and how long its byte order mark is."""
    for mark, name in BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return name, len(mark)
    even, odd = head[0:MARKLESS_BYTES:2], head[1:MARKLESS_BYTES:2]
    if odd and not any(odd) and all(even):
        return "utf-16-le", 0
    if odd and not any(even) and all(odd):
        return "utf-16-be", 0
    return UTF8, 0


def is_text(head: bytes) -> bool:
    """Whether a file that begins so is text, as opposed to an image, an archive or a database."""
    decoded = decode(head)
    size = len(decoded.text)
    few_controls = len(CONTROLS.findall(decoded.text)) <= MAX_CONTROLS * size
    return "\0" not in decoded.text and few_controls and decoded.replaced <= max(1, MAX_REPLACED * size)


def decode(data: bytes) -> Decoded:
    """Decode a whole file."""
    name, mark = encoding_of(data)
    return _decode(data[mark:], name)


def _decode(data: bytes, name: str) -> Decoded:
    try:
        return Decoded(data.decode(name))
    except UnicodeDecodeError:
        text = data.decode(name, "replace")
        return Decoded(text, max(1, text.count(REPLACEMENT) - data.count(REPLACEMENT.encode(name))))


class TextStream:
    """A byte stream read as text whatever its encoding is, without its byte order mark.

    Attributes:
        taken: bytes read from the file so far.
        replaced: undecodable byte sequences met so far, each now one replacement character.
    """

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._first = raw.read(BLOCK_BYTES)
        self._name, mark = encoding_of(self._first)
        self._decoder = codecs.getincrementaldecoder(self._name)("strict")
        self._first = self._first[mark:]
        self._fresh = True
        self.taken = mark
        self.replaced = 0

    def read(self) -> str:
        """Return the next piece; its length is the file's affair, nothing means the end."""
        while True:
            block = self._first if self._fresh else self._raw.read(BLOCK_BYTES)
            self._fresh, self._first = False, b""
            self.taken += len(block)
            piece = self._piece(block)
            if piece or not block:
                return piece

    def _piece(self, block: bytes) -> str:
        held = self._decoder.getstate()[0]
        try:
            return self._decoder.decode(block, final=not block)
        except UnicodeDecodeError:
            decoded = self._mend(held + block, final=not block)
            self.replaced += decoded.replaced
            return decoded.text

    def _mend(self, data: bytes, *, final: bool) -> Decoded:
        """Decode a block with replacements, keeping back a sequence that may go on in the next block."""
        lenient = codecs.getincrementaldecoder(self._name)("replace")
        text = lenient.decode(data, final)
        kept, flag = lenient.getstate()
        self._decoder.setstate((kept, flag))
        genuine = data.count(REPLACEMENT.encode(self._name))
        return Decoded(text, max(1, text.count(REPLACEMENT) - genuine))
