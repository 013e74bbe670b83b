"""A document that is one note: its file names it, and what the document says of itself goes before its file's name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noosphere.harvest.items import ImportItem, ItemType
from noosphere.harvest.prose import day_of, stem_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from noosphere.harvest.members import Member
    from noosphere.harvest.times import Instant


def document_note(
    member: Member,
    source: str,
    text: str,
    *,
    title: str | None,
    made: Instant | None,
    notes: Sequence[str] = (),
    about: Mapping[str, Any] | None = None,
) -> ImportItem:
    """The note of a document.

    Args:
        member: its file.
        source: the adapter that read it.
        text: its words.
        title: its own title; the file's name when it has none.
        made: when it was made, as it says itself.
        notes: what was assumed in reading it.
        about: metadata beside its path.
    """
    stem = stem_of(member.name)
    return ImportItem(
        id=member.name,
        source=source,
        type=ItemType.NOTE,
        title=title or stem,
        origin=member.origin,
        at=made.at if made else None,
        text=text,
        occurred=day_of(stem),
        path=member.name,
        metadata={"path": member.name, **(about or {})},
        notes=(*notes, *((made.repair,) if made and made.repair else ())),
    )
