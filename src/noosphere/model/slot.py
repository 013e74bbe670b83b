"""Slots: the (subject, attribute) a memory may fill, and which attributes hold one value at a time."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from importlib import resources
from typing import Any

from noosphere.errors import InvalidInput
from noosphere.model.argument import read_text
from noosphere.model.vocabulary import NAME
from noosphere.records import dataclass

ENDING_MARKS = re.compile(r"""[.,;:!?"'”’»)\]]+(?=\s|$)|(?<!\S)["'“‘«(\[]+""")  # and those that open one


@dataclass(frozen=True, slots=True)
class Slot:
    """A (subject, attribute) pair; `key` is the subject as it is compared."""

    subject: str
    attribute: str

    @property
    def key(self) -> str:
        """The subject without case, accents of width or extra spaces."""
        return normal(self.subject)

    def __str__(self) -> str:
        return f"{self.subject}.{self.attribute}"


def read_slot(slot: str | None, subject: str | None) -> tuple[str | None, Slot | None]:
    """Read `slot="subject.attribute"` beside an optional `subject=`.

    Returns:
        The subject, and the slot when one was named.

    Raises:
        InvalidInput: the slot is malformed, or its subject contradicts `subject`.
    """
    slot, subject = read_text(slot, "slot"), read_text(subject, "subject")
    subject = (" ".join(subject.split()) or None) if subject is not None else None
    if slot is None:
        return subject, None
    owner, dot, attribute = slot.rpartition(".")
    owner, attribute = " ".join(owner.split()), attribute.strip()
    if not dot or not owner or not NAME.fullmatch(attribute):
        raise InvalidInput("slot", f"{slot!r:.80} is not subject.attribute", 'Write it as "user.home_city"')
    if subject is not None and normal(subject) != normal(owner):
        raise InvalidInput("subject", f"{subject!r:.40} contradicts the slot's {owner!r:.40}", "Give only the slot")
    return owner, Slot(owner, attribute)


def normal(text: str) -> str:
    """Compare form of a subject or value: NFKC, case-folded, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def normal_value(text: str) -> str:
    """Compare form of a value: that of a subject, without the marks that end a word; empty only for marks alone."""
    plain = normal(text)
    return normal(ENDING_MARKS.sub("", plain)) or plain


def holds_one(attribute: str) -> bool:
    """Whether the attribute is functional by the registry; unknown attributes are set-valued.

    A name that ends in "_" stands for a family: "favorite_" speaks for favorite_color and favorite_band.
    """
    entry = _entry(attribute)
    return entry is not None and bool(entry["functional"])


def is_of_things(attribute: str) -> bool:
    """Whether things have the attribute, which may be told again under another name of the thing."""
    entry = _entry(attribute)
    return entry is not None and bool(entry.get("thing"))


def asked_by(subject: str, attribute: str) -> str:
    """The words in which one asks for a slot: its subject's, its attribute's, and those of the registry."""
    entry = _entry(attribute)
    known = "" if entry is None else str(entry.get("words", ""))
    named = "" if subject == "user" else subject
    return " ".join(f"{named} {attribute.replace('_', ' ')} {known}".split())


def _entry(attribute: str) -> dict[str, Any] | None:
    known = _registry()
    if attribute in known:
        return known[attribute]
    return next((entry for name, entry in known.items() if name[-1] == "_" and attribute.startswith(name)), None)


@cache
def _registry() -> dict[str, dict[str, Any]]:
    data = resources.files("noosphere.model").joinpath("attributes.toml").read_text(encoding="utf-8")
    return tomllib.loads(data)
