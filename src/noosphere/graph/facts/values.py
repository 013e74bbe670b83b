"""Values: trimmed of what leads to or follows them, and looked at for whether they can be one."""

from __future__ import annotations

import re

AROUND = " .,;:!\"'“”‘’()"
TRAILING = re.compile(
    r"(?:\s+(?:now|anymore|any more|any longer|again|too|as well|already|instead|today|currently|though|together|"
    r"at last|for now|these days|from now on|last|this|next|on|in|at|by|to|and|or|with|as|from|since|for|of|the|"
    r"full[- ]time|part[- ]time|officially|finally|please|then|this time|at present))+$",
    re.IGNORECASE,
)
LEADING = re.compile(
    r"^(?:the|a|an|just|only|about|around|roughly|approximately|now|still|being|down to|up to|back to|back at)\s+",
    re.IGNORECASE,
)
ASIDE = re.compile(
    r" (?:with|near|after|to be|as|to help|to work|over|rather than|together|on|for (?:the|a|an|my|his|her|their|"
    r"our|work|good)\b) ?"
)
NO_VALUE = re.compile(
    r"^(?:it|this|that|these|those|there|here|what|how|who|where|when|not|no|nothing|nobody|me|you|him|her|them|us|"
    r"is|are|was|were|has|have|will|and|or|later|fine|ok|okay|so|very|too|much|more|my work|to|n't|all|never)\b",
    re.IGNORECASE,
)
PLACED = re.compile(r"(?:in|at|on|from|for|with|by|of|under|near|behind)\b", re.IGNORECASE)
DEFINITE = re.compile(r"(?:the|an?) [a-z]", re.IGNORECASE)
COMMON = re.compile(
    r"(?:moment|weekend|night|nights|day|days|time|end|office|table|desk|computer|hope|peace|same|time|garden|house|"
    r"car|"
    r"job|work|smoking|call|room|wood|home|bit|lot|meeting|party|group|chat|conversation|project|team|club|game|chair|"
    r"smaller|bigger|larger|new|another|other|last|first|next|my|your|his|her|their|fear|silence|past|future|sofa|"
    r"couch|"
    r"bed|floor|window|front|back|middle|gym|pool|idea|building|place|door|wall|kitchen|left|right|few|couple|"
    r"\w+ing)\b",
    re.IGNORECASE,
)
HOUR = re.compile(r"\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?", re.IGNORECASE)
NUMBERED = re.compile(
    r"(?:box|room|cabin|locker|shelf|drawer|bay|bin|fridge|ward|stall|stable|field|pen|unit|desk|court|platform|floor|"
    r"hall|pitch|table|row|gate|track|line|number|no\.?|door|building|aisle|level|page|chapter|version)\b",
    re.IGNORECASE,
)
STREET = re.compile(
    r"\d+[a-zA-Z]?(?: ?[-–/] ?\d+[a-z]?)?,? (?:[A-Z][\w'’.-]* ){1,3}(?:Street|Road|Lane|Avenue|Row|Square|Drive|Place|"
    r"Court|Crescent|Terrace|Hill|Quay|Walk|Gardens|Grove|Boulevard|Close|Mews|Alley|Parade|Wharf|Way|St|Rd|Ave|Ln|Sq|Dr|"
    r"Blvd)\b"
)
FEW_WORDS = 4
MOST_WORDS = 12
NUMBER_WORD = re.compile(
    r"\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|"
    r"seventy|eighty|ninety|hundred|thousand|million|free|noon|midnight)\b",
    re.IGNORECASE,
)
DATED = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)"
    r"(?:uary|ruary|ch|il|e|y|ust|tember|ober|ember)?\b|\b(?:tomorrow|today|tonight|next|week|month|year|spring|summer|"
    r"autumn|fall|winter|easter|christmas|noon|midnight|quarter|q[1-4]|end of)\b",
    re.IGNORECASE,
)


def tidy(words: str, kind: str) -> str:
    """A value without the words and signs around it; a name or place stops where something else is told."""
    if kind in ("name", "place"):
        words = ASIDE.split(words, maxsplit=1)[0]
    words = " ".join(words.split()).strip(AROUND)
    while (shorter := TRAILING.sub("", LEADING.sub("", words)).strip(AROUND)) != words:
        words = shorter
    return words


def fits(value: str, kind: str, said: str = "", *, casual: bool = False) -> bool:
    """Whether a value can be one of its kind: a name or place is written with a capital, a number has figures.

    Args:
        value: the tidied value.
        kind: name, place, workplace, number, date or phrase.
        said: the value as it was said; a workplace may be "the library".
        casual: whether the writer uses no capitals.
    """
    if not value or len(value.split()) > MOST_WORDS or NO_VALUE.match(value):
        return False
    match kind:
        case "name" | "place" | "workplace":
            street = kind == "place" and STREET.match(value) is not None
            if street or PLACED.match(value) is not None or HOUR.fullmatch(value) is not None:
                return False
            starts = value[0].isupper() or value[0].isdigit() or value.rsplit(maxsplit=1)[-1][0].isupper()
            last = value.rsplit(maxsplit=1)[-1] if kind == "workplace" else value
            plain = COMMON.match(last) is None and len(value.split()) <= FEW_WORDS
            return starts or (plain and (casual or (kind == "workplace" and DEFINITE.match(said) is not None)))
        case "number":
            return any(c.isdigit() for c in value) or NUMBER_WORD.search(value) is not None
        case "date":
            return DATED.search(value) is not None and NUMBERED.match(value) is None and STREET.match(value) is None
        case _:
            return True
