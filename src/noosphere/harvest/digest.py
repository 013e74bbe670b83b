"""A hash of all that an item holds: the same digest means that nothing has to be done."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from noosphere.store.hashing import content_hash

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.harvest.items import ImportItem


def digest_of(item: ImportItem) -> bytes:
    """Hash an item; where it lies and what was mended in it do not count."""
    digest = hashlib.sha256()
    for part in _parts(item):
        digest.update(part.encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.digest()


def hash_of(text: str) -> bytes:
    """The hash a text is known by in the mind."""
    return content_hash(text.encode("utf-8", "replace").decode())


def _parts(item: ImportItem) -> Iterator[str]:
    about = (
        item.type, item.title, item.at, item.updated, item.occurred, item.participants, item.head, item.role, item.tags,
        [(entity.name, entity.type) for entity in item.entities],
        [(str(link.to), link.type, str(link.start)) for link in item.links],
        item.metadata,
    )  # fmt: skip
    yield json.dumps(about, sort_keys=True)
    yield item.text
    for turn in item.turns:
        yield f"{turn.key}\n{turn.parent}\n{turn.speaker}\n{turn.at}\n{turn.role}"
        yield turn.text
