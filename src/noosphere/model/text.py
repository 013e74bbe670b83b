"""Text that can be stored: what a Python string may hold and SQLite cannot, repaired and said in words.

Everything else stays as it was given: line ends, joined emoji, right-to-left marks, combining marks, a BOM inside.
"""

from __future__ import annotations

import re
from unicodedata import category

from noosphere.records import dataclass

NUL = "\0"  # SQLite stores it, but its text functions and FTS5 stop reading there
PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")  # one character, cut in two by a UTF-16 program
LONE = re.compile("[\ud800-\udfff]")
UNSEEN = frozenset({"Cc", "Cf"})  # control and format characters: a joiner, a mark of direction, a BOM
REPLACEMENT = "\ufffd"
HIGH, LOW = r"u[dD][89abAB][0-9a-fA-F]{2}", r"u[dD][c-fC-F][0-9a-fA-F]{2}"
ESCAPE = re.compile(rf"\\(?:{HIGH}\\{LOW}|(?P<half>{HIGH}|{LOW})|.)", re.DOTALL)  # of JSON, from left to right


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text that SQLite stores and reads back unchanged, and what had to be done for it."""

    text: str
    repairs: tuple[str, ...] = ()


def clean(text: str) -> Cleaned:
    """Make any string storable; nearly every text passes through as the same object."""
    if NUL not in text and _encodes(text):
        return Cleaned(text)
    whole, nuls = text.replace(NUL, ""), text.count(NUL)
    whole, pairs = PAIR.subn(_joined, whole)
    whole, lone = LONE.subn(REPLACEMENT, whole)
    said = (
        _said("removed", nuls, "NUL character"),
        _said("joined", pairs, "surrogate pair", " into the character meant"),
        _said("replaced", lone, "lone surrogate", " by U+FFFD"),
    )
    return Cleaned(whole, tuple(repair for repair in said if repair))


def whole_escapes(text: str) -> str:
    """JSON in which no escape stands for half a character: strict parsers refuse those."""
    return ESCAPE.sub(lambda found: "\\ufffd" if found["half"] else found.group(), text)


def is_blank(text: str) -> bool:
    """Whether nothing of a text can be seen: white space, and marks of no width."""
    return all(c.isspace() or category(c) in UNSEEN for c in text)


def _encodes(text: str) -> bool:
    """Whether the text is UTF-8 material; encoding it is the quickest check there is (1 GB/s, a regex 0.3)."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _joined(pair: re.Match[str]) -> str:
    return pair.group().encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _said(verb: str, count: int, what: str, rest: str = "") -> str:
    return f"{verb} {count} {what}{'s' * (count > 1)}{rest}" if count else ""
