"""Who or what a statement is about: the speaker, a person named, a relative, or a thing."""

from __future__ import annotations

import re

from noosphere.model.persons import FIRST, FIRST_OF_MANY, KIN, SEVERAL, THIRD

NO_ONE = frozenset(
    [
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "there",
        "here",
        "what",
        "which",
        "who",
        "whose",
        "where",
        "when",
        "why",
        "how",
        "everyone",
        "everybody",
        "nobody",
        "someone",
        "somebody",
        "anyone",
        "people",
        "one",
        "some",
        "any",
        "all",
        "each",
        "both",
        "every",
        "no",
        "none",
        "something",
        "anything",
        "nothing",
        "you",
        "your",
        "yours",
        "things",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "today",
        "tomorrow",
        "yesterday",
        "then",
        "now",
        "because",
        "if",
        "and",
        "or",
        "but",
        "the",
        "a",
        "an",
        "let's",
        "let",
        "please",
        "not",
        "do",
        "does",
        "did",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "also",
        "just",
        "don't",
        "never",
        "always",
        "so",
        "time",
        "life",
        "work",
    ]
)
LEADS_A_NAME = frozenset(["the", "a", "an", "this", "that", "these", "those", "work", "time", "life"])
POSSESSIVE = re.compile(r"['’]s$|(?<=s)['’]$")
MOST_NAMES = 3
CLAUSE_OPENS = frozenset(["i", "we", "he", "she", "they", "you"])  # "the tea I" is no thing: a clause tells which tea
AUXILIARY = re.compile(r" (?:will|can|must|has to|have to|had to)(?: now| only)*$", re.IGNORECASE)
ARTICLE = re.compile(r"^(?:the|a|an|our|my|this|that|these|those|new|current|latest)\s+", re.IGNORECASE)


def person(words: str, speaker: str, named: str | None) -> str | None:
    """The person that some words name: the speaker, "Ann", "sister", "Bob's sister"; None when they name none."""
    words = POSSESSIVE.sub("", " ".join(words.split()).strip(" ,"))
    low = words.lower().replace("’", "'")
    if "n't" in low:
        return None
    if low in FIRST:
        return speaker
    if low in FIRST_OF_MANY or low in THIRD:
        return named if low in THIRD else speaker if low == "our" else "we"
    if low.split(" ", 1)[0] in ("my", "our", "his", "her", "their"):
        return _relative(words, speaker, named)
    return words if is_name(words) else _kin_of(words)


def thing(words: str, speaker: str, named: str | None) -> str | None:
    """The thing that some words name, without articles; what is somebody else's says whose it is."""
    words = POSSESSIVE.sub("", " ".join(words.split()).strip(" ,"))
    low = words.lower().replace("’", "'")
    if low in FIRST_OF_MANY:
        return "we"
    if low in FIRST or low in THIRD or low in NO_ONE or not words:
        return None
    first, _, rest = low.partition(" ")
    if rest.rsplit(" ", 1)[-1] in CLAUSE_OPENS:
        return None
    if first in ("my", "our") and speaker != "user" and first == "my":
        words = f"{speaker}'s {words.split(' ', 1)[-1]}"
    elif first in ("his", "her", "their"):
        if named is None:
            return None
        words = f"{named}'s {words.split(' ', 1)[-1]}"
    elif first in NO_ONE - LEADS_A_NAME:
        return None
    while (shorter := AUXILIARY.sub("", ARTICLE.sub("", words))) != words:
        words = shorter
    return words if words and words.lower() not in NO_ONE else None


def names_person(subject: str) -> bool:
    """Whether the subject of a slot is a person: a name of one or two words, or a relative."""
    last = subject.rsplit(maxsplit=1)[-1].lower()
    return last in KIN or (
        is_name(subject) and len(subject.split()) <= MOST_NAMES and not any(c.isdigit() for c in subject)
    )


def of_several(subject: str) -> bool:
    """Whether the last word of a subject says that it may be one of several: a son, somebody's cousin."""
    return subject.rsplit(maxsplit=1)[-1].lower() in SEVERAL


def owner_of(words: str, speaker: str, named: str | None) -> str | None:
    """The possessive of whoever owns a thing; None when it is the user's or nobody's."""
    if not words or words.lower() in ("we", "i", "our", "my"):
        return None
    owner = person(words, speaker, named)
    return None if owner in (None, "user", "we") else f"{owner}'s"


def _relative(words: str, speaker: str, named: str | None) -> str | None:
    whose, _, rest = words.partition(" ")
    parts = rest.split()
    while parts and parts[0].lower() in (
        "new",
        "old",
        "best",
        "older",
        "younger",
        "little",
        "big",
        "good",
        "own",
        "ex",
    ):
        parts = parts[1:]
    if not parts:
        return None
    if len(parts) > 1 and parts[-1][:1].isupper():
        names = [p for p in parts if p[:1].isupper()]
        return " ".join(names)
    owner = speaker if whose.lower() in ("my", "our") else named
    if owner is None:
        return None
    relation = " ".join(parts).lower()
    return relation if owner == "user" else f"{owner}'s {relation}"


def _kin_of(words: str) -> str | None:
    """Read a relative by another's name, or by "the": Ann's sister, the landlord."""
    parts = words.split()
    if len(parts) > 1 and parts[-1].lower() in KIN and POSSESSIVE.search(parts[-2]) and parts[0][:1].isupper():
        return words
    if len(parts) == 2 and parts[0].lower() == "the" and parts[1].lower() in KIN:  # noqa: PLR2004
        return parts[1].lower()
    return None


def is_name(words: str) -> bool:
    """Whether all words are written like a name's."""
    parts = words.split()
    if not parts or parts[0].lower().replace("’", "'") in NO_ONE:
        return False
    return (
        all(p[:1].isupper() or p in ("de", "van", "von", "da", "del", "al", "la") for p in parts)
        and parts[0][:1].isupper()
    )
