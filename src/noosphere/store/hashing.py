"""The one content hash: SHA-256 of a text without capture prefixes and outer white space."""

from __future__ import annotations

from hashlib import sha256

from noosphere.model.capture import strip_prefixes


def content_hash(text: str) -> bytes:
    """Hash what a text says, whoever captured it and however it was labelled.

    The same words captured from two sources have one hash (seed: stripHmPrefix, then trim).
    """
    return sha256(strip_prefixes(text).strip().encode()).digest()
