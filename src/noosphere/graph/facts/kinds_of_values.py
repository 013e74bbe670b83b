"""Kinds of values: a time of day, a date, money, so many of something, the 7th of something, room 318, a name."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from noosphere.graph.facts.renewals import CALENDAR
from noosphere.graph.facts.rulebook import changes
from noosphere.graph.facts.words import stem
from noosphere.model.ways import Ways


class Kind(NamedTuple):
    """What a value is, of what, the value itself in compare form, and of how much of something, of what."""

    is_a: str
    of: str
    value: str
    stuff: str = ""

    @property
    def bare(self) -> tuple[str, str]:
        """Without the value: what two values have to share to be told of one thing."""
        return self.is_a, self.of


NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
AM_PM = r"[ap]\.?m\b"
TIME = re.compile(
    rf"\b\d{{1,2}}:\d{{2}}(?: ?{AM_PM})?|\b\d{{1,2}}\.\d{{2}} ?(?:{AM_PM}|uhr\b)|"
    rf"\b\d{{1,2}} ?(?:{AM_PM}|o['’]clock|uhr\b)|\bnoon\b|\bmidnight\b|(?<=\bat )\d{{1,2}}(?=$|[.!,]| on\b)",
    re.IGNORECASE,
)
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)"
)
DAY = r"\d{1,2}(?:st|nd|rd|th)?"
DATE = re.compile(
    rf"\b\d{{4}}-\d\d-\d\d\b|\b(?:{DAY}(?: of)? {MONTH}|{MONTH} {DAY})\b(?:,? \d{{4}})?|"
    r"\b(?:next|this) (?:week|month|year|spring|summer|autumn|winter|fall)\b|\btomorrow\b",
    re.IGNORECASE,
)
CURRENCY = r"(?:[$€£]|(?:euros?|dollars?|usd|eur|gbp|francs?|chf|yen|kronor|kr)\b)"
MONEY = re.compile(rf"[$€£] ?\d[\d.,]*k?\b|\b\d[\d.,]*k? ?{CURRENCY}", re.IGNORECASE)
NTH = re.compile(r"\b(\d+)(?:st|nd|rd|th) ([a-z]+)", re.IGNORECASE)
NUMBERED = re.compile(
    r"\b(room|version|v|floor|gate|platform|level|desk|line|unit|terminal|lane|hall|building|block|wing|bay|lab|studio|"
    r"court|pitch|[A-Z][A-Za-z]+) v?(\d[\w.]*|(?<=(?:room|hall|gate|wing) )[A-Z]\w*)"
)
NO_UNIT = r"(?!(?:of|a|an|in|on|at|for|per|and|to|the|is|are|with|each|every|from|now|this|last|so|or)\b)"
COUNT = re.compile(
    rf"(?<![\w.:-])(\d[\d.,]*|{'|'.join(NUMBERS)})(?: ?(%|percent\b)|"
    rf" ?({NO_UNIT}[a-zäöü]+(?: {NO_UNIT}[a-z]+){{0,2}})(?: of ([a-z]+))?)",
    re.IGNORECASE,
)
OFTEN = {"once": "1", "twice": "2", "thrice": "3"}
TWICE = re.compile(r"\b(?:once|twice|thrice)\b", re.IGNORECASE)
NUMBER = re.compile(r"(?<![\w.:-])\d[\d.,]*(?![\w:-])")
NAME = re.compile(r"\b[A-Z][\w.+#'’-]*(?: [A-Z\d][\w.+#'’-]*)*")


@cache
def numeral() -> Ways:
    """What says how many."""
    return Ways([rf"\d|\b(?:{'|'.join(NUMBERS)}|once|twice|thrice)\b"])


def kinds_in(words: str) -> frozenset[Kind]:
    """The values in some words; what belongs to one is not read as another."""
    found: set[Kind] = set()
    left = words
    for name, pattern in (("time", TIME), ("date", DATE), ("money", MONEY)):
        found |= {Kind(name, "", match[0].lower()) for match in pattern.finditer(left)}
        left = pattern.sub(" ", left)
    found |= {Kind("date", "", match[0].lower().removesuffix("s")) for match in CALENDAR.finditer(left)}
    left = CALENDAR.sub(" ", left)
    found |= {Kind("nth", stem(match[2]), match[1]) for match in NTH.finditer(left)}
    found |= {Kind("numbered", match[1].lower().replace("version", "v"), match[2]) for match in NUMBERED.finditer(left)}
    often = (OFTEN.get(match[0].lower()) for match in TWICE.finditer(left))  # "ı" matches "i", and is no letter of it
    found |= {Kind("count", "time", count) for count in often if count is not None}
    left = NUMBERED.sub(" ", NTH.sub(" ", left))
    for match in COUNT.finditer(left):
        number = str(NUMBERS.index(match[1].lower()) + 1) if match[1].lower() in NUMBERS else match[1].rstrip(".,")
        found.add(Kind("count", "%" if match[2] else _unit(match[3]), number, stem(match[4] or "")))
    left = COUNT.sub(" ", left)
    found |= {Kind("number", "", match[0].rstrip(".,")) for match in NUMBER.finditer(left)}
    found |= {Kind("name", "", match[0].lower()) for match in NAME.finditer(left)}
    return frozenset(found)


def _unit(words: str) -> str:
    """What is counted; of measures, what they measure."""
    stems = [stem(word) for word in words.split()]
    return next((family for one in stems[:1] if (family := families().get(one))), " ".join(stems))


@cache
def families() -> dict[str, str]:
    """The units that measure the same, each with what they measure."""
    return {word: family for family, words in changes()["measures"].items() for word in words.split()}
