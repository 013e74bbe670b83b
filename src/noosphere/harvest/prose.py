"""What Markdown and plain-text files share: what counts as prose, a note's name, the day a name speaks of."""

from __future__ import annotations

import re
from datetime import date

from noosphere.harvest.encoding import decode, is_text

# Text that is data of another kind. Not JSON: `[[a link]]`, `[ ] a task`, `[2026-05-14 10:03] Ann: …`.
DATA = re.compile(
    r"""\s*(?:
        \{\s*["}] | \[\s*(?:[{"]|\[\s*[\["{]|\]\s*\Z)  # JSON
        | <\?xml | <!doctype | <html | <svg
        | %PDF- | %!PS | \{\\rtf
    )""",
    re.IGNORECASE | re.VERBOSE,
)
DAY = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")


def prose_of(head: bytes) -> str | None:
    """The first characters of a file if they are text for people, else None."""
    if not is_text(head):
        return None
    text = decode(head).text
    return None if DATA.match(text) else text


def stem_of(name: str) -> str:
    """A member's name without its folders and its suffix."""
    return name.rsplit("/", 1)[-1].removesuffix(suffix_of(name))


def suffix_of(name: str) -> str:
    """The suffix of a member's name with its dot; `Dr. Smith` and `.profile` have none."""
    stem, dot, suffix = name.rsplit("/", 1)[-1].rpartition(".")
    return dot + suffix if stem and suffix.isalnum() else ""


def day_of(stem: str) -> str | None:
    """The one calendar day a file's name speaks of; two of them are a range, which is no day."""
    days = DAY.findall(stem)
    if len(days) != 1:
        return None
    try:
        return date.fromisoformat(days[0]).isoformat()
    except ValueError:
        return None
