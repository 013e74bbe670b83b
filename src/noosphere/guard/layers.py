"""Layers: texts inside a text that its reader would have to decode, turn round or look under the markup for."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ENCODED = "hidden.encoded"
TURNED = "hidden.turned"
MARKUP = "hidden.markup"

BASE64 = re.compile(r"[A-Za-z0-9+/_-]{20,}={0,2}")
BASE32 = re.compile(r"[A-Z2-7]{24,}={0,6}")
HEX = re.compile(r"(?:[0-9a-fA-F]{2}[ :,]?){12,}")
BINARY = re.compile(r"(?:[01]{8}[ ,]?){4,}")
CODES = re.compile(r"(?:\b\d{2,3}\b[ ,;]*){8,}")
ESCAPES = re.compile(r"(?:\\u00[0-9a-fA-F]{2}|\\x[0-9a-fA-F]{2}){4,}")
PERCENT = re.compile(r"[\w.~-]{0,30}(?:%[0-9a-fA-F]{2}[\w.~-]{0,30}){3,}")
ENTITIES = re.compile(r"(?:&#x?[0-9a-fA-F]{2,6};){3,}")
COMMENT = re.compile(r"<!--(.{1,4000}?)(?:-->|$)", re.DOTALL)
UNSEEN = re.compile(
    r"<(?=[^<>]{0,200}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d])"
    r"|color\s*:\s*(?:white|#fff)|\bhidden\b|aria-hidden))[^<>]{1,400}>([^<]{1,4000})",
    re.IGNORECASE,
)
MARKED = ("<!--", "display:", "visibility:", "font-size:", "opacity:", "color:", "hidden")
READABLE = 0.9  # the share of letters and spaces from which decoded bytes are a text
ENOUGH = 10  # characters of a decoded text that can say anything


def layers(text: str) -> Iterator[tuple[str, str]]:
    """Every text inside this one that can be read, with the rule that counts for finding it there."""
    for pattern, decode in DECODERS:
        for found in pattern.finditer(text):
            inner = decode(found.group())
            if inner is not None and _reads(inner):
                yield ENCODED, inner
    if any(sign in text.lower() for sign in MARKED):
        for pattern in (COMMENT, UNSEEN):
            for found in pattern.finditer(text):
                yield MARKUP, found.group(1)


def turned(text: str) -> tuple[tuple[str, str], ...]:
    """The text backwards, and with its letters rotated by half the alphabet."""
    return (TURNED, text[::-1]), (TURNED, codecs.encode(text, "rot13"))


def _reads(text: str) -> bool:
    if len(text) < ENOUGH:
        return False
    return (
        BASE64.fullmatch(text) is not None or sum(c.isalpha() or c in " \n" for c in text) >= READABLE * len(text) - 3
    )


def _based(decode: Callable[[str], bytes], block: int) -> Callable[[str], str | None]:
    def read(run: str) -> str | None:
        bare = run.rstrip("=")
        try:
            return decode(bare + "=" * (-len(bare) % block)).decode("utf-8")
        except (binascii.Error, ValueError):
            return None

    return read


def _base64(run: str) -> bytes:
    return base64.b64decode(run.replace("-", "+").replace("_", "/"))


def _bytes(base: int) -> Callable[[str], str | None]:
    def read(run: str) -> str | None:
        width = 8 if base == 2 else 2  # noqa: PLR2004  (binary, hexadecimal)
        digits = re.sub(r"[ :,]", "", run)
        try:
            return bytes(int(digits[n : n + width], base) for n in range(0, len(digits) - width + 1, width)).decode()
        except ValueError:
            return None

    return read


def _codes(run: str) -> str | None:
    numbers = [int(n) for n in re.findall(r"\d+", run)]
    return "".join(map(chr, numbers)) if all(n < 0x110000 for n in numbers) else None  # noqa: PLR2004


def _escapes(run: str) -> str:
    return "".join(chr(int(code, 16)) for code in re.findall(r"([0-9a-fA-F]{2})(?=\\|$)", run))


DECODERS: tuple[tuple[re.Pattern[str], Callable[[str], str | None]], ...] = (
    (BASE64, _based(_base64, 4)),
    (BASE32, _based(base64.b32decode, 8)),
    (HEX, _bytes(16)),
    (BINARY, _bytes(2)),
    (CODES, _codes),
    (ESCAPES, _escapes),
    (PERCENT, unquote),
    (ENTITIES, html.unescape),
)
