"""Folding: one spelling for text that is written so that a filter misreads it and a model does not."""

from __future__ import annotations

import re
import unicodedata

# Shows nothing: soft hyphen, joiners, zero-width and bidi marks, invisible operators, fillers, selectors, tags.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e01ef]"
)
BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")  # changes the order in which text is shown
TAGGED = re.compile("[\U000e0020-\U000e007e]{4,}")  # ASCII in characters that show nothing
TAG_BASE = 0xE0000
COMBINING = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u20d0-\u20ff]+")
OTHER_SCRIPT = re.compile("[\u0370-\u058f]")  # Greek, Cyrillic, Armenian: letters of theirs pass for Latin ones
MIXED = re.compile("[^\\W\\d_]*[\u0370-\u058f][^\\W\\d_]*")

QUOTES = str.maketrans(dict.fromkeys("‘’‚‛`´ʼ′", "'") | dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‐‑‒–—―−", "-"))
# Latin letters in other clothes that compatibility forms do not take off: small capitals, squared, circled, flags.
_DRESSED = dict(
    zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɑɡıȷɩɐɔəɹʇʌʍłøđħŧſ", "abcdefghijklmnoprstuvwyzagijiacertvwlodhts", strict=True)
)
DRESSED = str.maketrans(
    _DRESSED
    | {letter.upper(): plain for letter, plain in _DRESSED.items() if not letter.upper().isascii()}
    | {base + n: chr(ord("a") + n) for base in (0x1F150, 0x1F170, 0x1F1E6) for n in range(26)}
)
# Letters of other scripts that look like Latin ones, capitals apart where they look like another letter.
LOOKALIKE = str.maketrans(
    dict(zip("АВЕЅІЈКМНОРСТУХҺԚԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧՕՍ", "abesijkmhopctyxhqwabezhikmnoptyxou", strict=True))
    | dict(zip("авезѕіјкмнорстухһԁԛԝӏѵг", "abezsijkmhopctyxhdqwlvr", strict=True))
    | dict(zip("αβγεηικνορτυχωϲϳζօսոհց", "abyenikvoptuxwcjzounhg", strict=True))
)  # fmt: skip


def fold(text: str) -> str:
    """The text as a reader would take it: compatibility forms, no invisible characters or accents, lower case."""
    if text.isascii():
        return text.lower()
    text = INVISIBLE.sub("", TAGGED.sub(_shown, text)).translate(QUOTES)
    plain = COMBINING.sub("", unicodedata.normalize("NFKD", text)).translate(QUOTES)  # signs turned upright as well
    text = unicodedata.normalize("NFC", plain).translate(DRESSED)
    if OTHER_SCRIPT.search(text):
        text = MIXED.sub(_latin, text)
    return text.lower()


def _shown(tags: re.Match[str]) -> str:
    return " " + "".join(chr(ord(c) - TAG_BASE) for c in tags.group()) + " "


def _latin(word: re.Match[str]) -> str:
    """A word that becomes wholly Latin when its look-alikes are read as Latin, if some letter is Latin already.

    A capital that looks like no Latin letter is read as its small one.
    """
    said = word.group()
    if not any(c.isascii() for c in said):
        return said
    ways = (said.translate(LOOKALIKE), said.lower().translate(LOOKALIKE))
    return next((read for read in ways if read.isascii()), said)


def lookalike(word: str) -> str:
    """A lower-case word of another script, read as Latin where its letters look so."""
    return word.translate(LOOKALIKE)
