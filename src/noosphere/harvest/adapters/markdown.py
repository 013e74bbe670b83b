"""Markdown notes, alone or in a vault: one item per note, its words kept as written, never split.

- The text is the body, with wikilinks in words; fields of the front matter that have no place of their own
  stand before it as written, because metadata is not searched and a note's `author:` is part of what it says.
- A time comes from the front matter, or as a day from a name such as `2026-05-14.md`. A file's own
  modification time is never used: copying, syncing and unpacking all change it.
- The id is the note's path in its vault; a front matter `id` or `permalink` takes its place, so that a
  renamed note stays itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from noosphere.harvest import frontmatter
from noosphere.harvest.adapter import Match
from noosphere.harvest.adapters.markdown_text import Prose, read_prose
from noosphere.harvest.items import Found, ImportItem, ItemType, Left, Omission, Reject
from noosphere.harvest.prose import day_of, prose_of, stem_of, suffix_of
from noosphere.harvest.times import Instant, read_instant
from noosphere.harvest.untrusted import as_list, as_text, first_text
from noosphere.model.vocabulary import MAX_TAG
from noosphere.model.when import iso

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from noosphere.harvest.encoding import Decoded
    from noosphere.harvest.frontmatter import FrontMatter
    from noosphere.harvest.members import Member

NAME = "markdown"
SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd"})
TEXT_SUFFIXES = SUFFIXES | {
    ".txt",
    ".text",
    "",
}  # elsewhere (`.py`, `.ts`, `.yaml`) `# …` and `---` mean something else
ENOUGH_MARKS = 2  # kinds of marks; one alone may be chance: a shell script's `# comment` looks like a heading
MARKS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^#{1,6} \S",  # heading
        r"^ {0,3}(?:```|~~~)",  # fence
        r"\[\[[^\[\]\n]+\]\]",  # wikilink
        r"(?<!\w)\[[^\[\]\n]+\]\([^()\s]+\)",  # link
        r"^[ \t]*[-*+] (?:\[[ xX]\] )?\S",  # list, tasks
        r"^> ",  # quotation
        r"\*\*\S[^*\n]*\*\*",  # bold
        r"^\|?(?: *:?-{3,}:? *\|)+",  # table
    )
)
OPENING = re.compile(r"---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
HEADING_FIRST = re.compile(r"\s*# \S")

IDENTITIES = ("permalink", "id", "uid", "uuid")
TAG_FIELDS = ("tags", "tag")
CREATED = ("date", "created", "created_at", "date created", "date_created", "creation date", "datetime", "published")
UPDATED = ("updated", "updated_at", "modified", "last modified", "date modified", "date_modified", "lastmod")
APPEARANCE = ("cssclass", "cssclasses", "publish")
ELSEWHERE = frozenset(("title", *IDENTITIES, *TAG_FIELDS, *APPEARANCE))  # fields with a place of their own


def matches(member: Member, head: bytes) -> Match:
    """Know Markdown by its marks.

    Between Markdown and plain text, and only there, the suffix breaks a tie: prose without any marks is
    Markdown in a `.md` file, and source code is not, whatever its comments look like.
    """
    text, suffix = prose_of(head), suffix_of(member.name).lower()
    if text is None or suffix not in TEXT_SUFFIXES:
        return Match.NO
    text = text.replace("\r\n", "\n")
    if OPENING.match(text) or HEADING_FIRST.match(text):
        return Match.SURE if suffix in SUFFIXES else Match.LIKELY
    if sum(mark.search(text) is not None for mark in MARKS) >= ENOUGH_MARKS:
        return Match.LIKELY
    return Match.BY_NAME if suffix in SUFFIXES else Match.NO


def read(member: Member) -> Iterator[Found]:
    """Yield the note, or why there is none."""
    decoded = member.text()
    if isinstance(decoded, Reject):
        yield decoded
        return
    note = _note(member, decoded)
    yield note or Left(member.origin, Omission.EMPTY_NOTE)


def _note(member: Member, decoded: Decoded) -> ImportItem | None:
    name = member.name
    front = frontmatter.split(decoded.text)
    fields = {key.strip().lower(): value for key, value in front.fields.items()}
    prose, kept = read_prose(front.body), read_prose(_kept(front))
    words = "\n\n".join(part for part in (kept.text, prose.text.strip("\n")) if part.strip())
    if not words.strip():
        return None
    stem = stem_of(name)
    day = day_of(stem)
    at = _first_instant(fields, (*CREATED, *UPDATED)) or (read_instant(day) if day == stem else None)
    invalid = () if front.valid else (frontmatter.INVALID,)
    return ImportItem(
        id=_identity(name, fields),
        source=NAME,
        type=ItemType.NOTE,
        title=first_text(fields, "title") or prose.heading or stem,
        origin=member.origin,
        at=at.at if at else None,
        text=words,
        occurred=day,
        path=name,
        tags=_tags(fields, prose),
        metadata=_metadata(name, fields, front.fields, dict.fromkeys((*kept.links, *prose.links)), prose.embeds),
        notes=(*decoded.repairs, *invalid, *((at.repair,) if at and at.repair else ())),
    )


def _kept(front: FrontMatter) -> str:
    """The lines of the front matter that stay in the text: those with no other place, or all if it is not valid."""
    if not front.valid:
        return "\n".join(lines for _, lines in front.lines)
    fields = {key.strip().lower(): value for key, value in front.fields.items()}
    dates = {key for key in (*CREATED, *UPDATED) if read_instant(fields.get(key))}
    kept = (lines for key, lines in front.lines if key.lower() not in ELSEWHERE | dates)
    return "\n".join(kept)


def _identity(name: str, fields: dict[str, Any]) -> str:
    own = first_text(fields, *IDENTITIES)
    vault = name.split("/", 1)[0] if "/" in name else ""
    return f"{vault}#{own.strip()}" if own else name


def _first_instant(fields: dict[str, Any], keys: tuple[str, ...]) -> Instant | None:
    return next((instant for key in keys if (instant := read_instant(fields.get(key)))), None)


def _tags(fields: dict[str, Any], prose: Prose) -> tuple[str, ...]:
    written = [tag for key in TAG_FIELDS for tag in _tag_texts(fields.get(key))]
    cleaned = (" ".join(tag.split()).lstrip("#") for tag in (*written, *prose.tags))
    return tuple(dict.fromkeys(tag for tag in cleaned if tag and len(tag) <= MAX_TAG and tag.isprintable()))


def _tag_texts(value: Any) -> list[str]:
    """Tags as a list, or as one text parted by commas, else by spaces."""
    if text := as_text(value):
        return text.split(",") if "," in text else text.split()
    return [tag for inner in as_list(value) for tag in ([inner] if isinstance(inner, str) else _tag_texts(inner))]


def _metadata(
    name: str, fields: dict[str, Any], written: dict[str, Any], links: Iterable[str], embeds: Iterable[str]
) -> dict[str, Any]:
    updated = _first_instant(fields, UPDATED)
    told: dict[str, Any] = {
        "path": name,
        "links": list(links),
        "embeds": list(embeds),
        "properties": written,
        "updated": iso(updated.at) if updated else None,
    }
    return {key: value for key, value in told.items() if value}
