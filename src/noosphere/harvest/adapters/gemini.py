"""Gemini: activity of a Google Takeout as JSON or as a page, and prompts that AI Studio keeps in Drive.

- Of an activity only rows of Gemini or Bard are read, by their header and products; the folder and the file
  have other names in every language. Prompts and replies become turns; feedback, canvases and the like do not.
- Takeout has no conversations: rows whose link names one are put together, the others by their day, and the
  conversation says so. Rows come newest first. A row's key is its second and its prompt, the same in both kinds.
- Of a prompt of AI Studio thoughts, code that was run and its output are left out; edited answers are branches.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from noosphere.harvest.adapter import Match
from noosphere.harvest.adapters.gathering import REMEDY
from noosphere.harvest.adapters.gemini_activity import NAME, Activity, is_product
from noosphere.harvest.adapters.gemini_page import read_page
from noosphere.harvest.adapters.gemini_studio import read_prompt
from noosphere.harvest.encoding import TextStream, decode
from noosphere.harvest.items import Found, Reject
from noosphere.harvest.jsonstream import EACH, BadJson, JsonReader, Passed, values_at
from noosphere.harvest.opening import LIST
from noosphere.harvest.untrusted import as_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.harvest.members import Member

__all__ = ["NAME", "is_product", "matches", "read"]

STUDIO = re.compile(r'"chunkedPrompt"\s*:')
ROWS = re.compile(rf"{LIST}\{{")
HEADER = re.compile(r'\{\s*"header"\s*:')
ROW_FIELDS = ('"title"', '"time"', '"products"')
PAGE = re.compile(r"\s*<(?:!doctype )?html", re.IGNORECASE)
CELLS = ('class="outer-cell', 'class="content-cell')


def matches(member: Member, head: bytes) -> Match:  # noqa: ARG001  (judged by content alone)
    """Know each kind by fields or cells that nothing else has."""
    text = decode(head).text
    is_rows = ROWS.match(text) and HEADER.search(text) and all(field in text for field in ROW_FIELDS)
    is_page = PAGE.match(text) and all(cell in text for cell in CELLS)
    is_prompt = text.lstrip().startswith("{") and STUDIO.search(text)
    return Match.SURE if is_rows or is_page or is_prompt else Match.NO


def read(member: Member) -> Iterator[Found]:
    """Yield the conversations of a file."""
    head = decode(member.head()).text
    if PAGE.match(head):
        yield from read_page(member)
    elif ROWS.match(head):
        yield from _rows(member)
    else:
        yield from read_prompt(member)


def _rows(member: Member) -> Iterator[Found]:
    activity = Activity(member.origin)
    with member.open() as raw:
        try:
            for place, value in enumerate(values_at(JsonReader(TextStream(raw)), (EACH,)), 1):
                if row := as_record(value):
                    activity.take_row(row, place)
                else:
                    why = value.why if isinstance(value, Passed) else "is not an object"
                    yield Reject(member.origin, f"row {place}", why, REMEDY)
        except BadJson as problem:
            yield Reject(member.origin, "the rest of the file", f"is not JSON: {problem}", REMEDY)
    yield from activity.found()
