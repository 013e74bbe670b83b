"""Topics: names of things in compare form, so that two ways to name one thing are one."""

from __future__ import annotations

import re

SEX = re.compile(r"\b(chair|spokes|sales|fore)(?:wo)?(?:man|person)\b", re.IGNORECASE)
JOINS = re.compile(r" (?:of|for|at|in|on|to|from|behind|near|with|by) ", re.IGNORECASE)
DROPPED = re.compile(
    r"^(?:the|a|an|our|my|your|this|that|new|current|latest|present|monthly|own)\s+",
    re.IGNORECASE,
)
IN_FULL = {
    "appt": "appointment",
    "dept": "department",
    "mtg": "meeting",
    "mgr": "manager",
    "apt": "apartment",
    "tel": "phone",
}
FORM_OF_COMPANY = re.compile(r"\b(?:ltd|inc|gmbh|llc|plc|corp)\b\.?", re.IGNORECASE)


def topic(subject: str) -> str:
    """A thing's name in compare form: "season ticket for the lido" is "lido season ticket", as is "the lido's …"."""
    parts = [_bare(part) for part in JOINS.split(" ".join(subject.split()))]
    words = FORM_OF_COMPANY.sub("", " ".join(part for part in reversed(parts) if part)).strip()
    words = " ".join(re.sub(r"['’]s\b|['’](?=\s|$)", "", words).split())
    words = SEX.sub(r"\1", words).lower()
    return " ".join(IN_FULL.get(word, word) for word in words.split()) or subject.lower()


def _bare(words: str) -> str:
    while (shorter := DROPPED.sub("", words)) != words:
        words = shorter
    return words
