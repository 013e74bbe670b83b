"""Profiles: one memory for each person, that says what is known of them now and is revised when that changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.ids import uid_text
from noosphere.model.draft import Draft
from noosphere.model.outcome import Refused, Revised
from noosphere.model.slot import normal
from noosphere.model.vocabulary import Source
from noosphere.store import evidence, listing
from noosphere.write.remember import remember
from noosphere.write.revise import revise

if TYPE_CHECKING:
    from noosphere.store.mind_file import MindFile

LEAST = 2  # values: one is said by its own memory
MOST = 40  # values that a profile names
KEY = "profile:"  # of the evidence by which a profile is found again


def profile(mind: MindFile, subject: str) -> bool:
    """Bring the profile of a person up to date; whether something changed."""
    key = KEY + normal(subject)
    with mind.read() as sql:
        values = listing.values_of(sql, normal(subject), mind.clock.now())
        there = evidence.target_of_source(sql, key)
    if len(values) < LEAST:
        return False
    text = told(subject, values)
    if there is not None:
        return isinstance(revise(mind, uid_text(there), text), Revised)
    draft = Draft(text=text, role="profile", source=Source.IMPORT, subject=subject, evidence={"source_id": key})
    return not isinstance(remember(mind, [draft], importing=True)[0], Refused)


def told(subject: str, values: list[tuple[str, str]]) -> str:
    """The words of a profile: a line for each attribute."""
    by_name: dict[str, list[str]] = {}
    for name, value in values[-MOST:]:
        by_name.setdefault(name.replace("_", " "), []).append(value)
    return "\n".join([f"Profile of {subject}", *(f"· {name} = {', '.join(each)}" for name, each in by_name.items())])
