"""Identity: 16-byte UUIDv7 inside, 36-character text outside."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from noosphere.errors import InvalidInput
from noosphere.forking import Lock

if TYPE_CHECKING:
    from noosphere.clock import Clock

UID_BYTES = 16
TEXT_LENGTH = 36
HYPHENS = (8, 13, 18, 23)
COUNTER_BITS = 12
RANDOM_BYTES = 8
DRAWN = 64  # uids whose random bits are drawn at once


class Ids(Protocol):
    """Where new identities come from."""

    def new(self) -> bytes:
        """Return a fresh 16-byte uid; later ones sort after earlier ones."""
        ...


class Uuid7:
    """UUIDv7 (RFC 9562 §5.7): 48 bits of milliseconds, a 12-bit counter, 62 random bits.

    The counter keeps ids of one process in order within a millisecond; when it runs out, the
    millisecond is advanced instead (RFC 9562 §6.2, method 1).
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = Lock()
        self._last = 0
        self._random = b""  # drawn for many at once: asking the system takes longer than all the rest
        self._process = os.getpid()

    def new(self) -> bytes:
        """Return the next uid of this process."""
        with self._lock:
            tick = max(self._clock.now() // 1000 << COUNTER_BITS, self._last + 1)
            self._last = tick
            drawn = self._draw()
        milliseconds, counter = tick >> COUNTER_BITS, tick & 0xFFF
        random = int.from_bytes(drawn) & ((1 << 62) - 1)
        return (milliseconds << 80 | 0x7 << 76 | counter << 64 | 0b10 << 62 | random).to_bytes(UID_BYTES)

    def _draw(self) -> bytes:
        """Random bytes that nobody else has: not the parent either, after a fork."""
        if not self._random or self._process != os.getpid():
            self._random, self._process = os.urandom(RANDOM_BYTES * DRAWN), os.getpid()
        drawn, self._random = self._random[:RANDOM_BYTES], self._random[RANDOM_BYTES:]
        return drawn


def uid_text(uid: bytes) -> str:
    """Write a uid the way people and JSON see it."""
    h = uid.hex()
    return f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}"


def looks_like_uid(text: str) -> bool:
    """Whether a text has the form of a uid."""
    try:
        parse_uid(text)
    except InvalidInput:
        return False
    return True


def parse_uid(text: str, field: str = "id") -> bytes:
    """Read a uid back.

    Raises:
        InvalidInput: the text is not 36 characters of UUID form.
    """
    try:
        if len(text) == TEXT_LENGTH and all(text[i] == "-" for i in HYPHENS):
            uid = bytes.fromhex(text.replace("-", ""))
            if len(uid) == UID_BYTES:
                return uid
    except (ValueError, TypeError):
        pass
    raise InvalidInput(field, f"{text!r:.80} is not an id", "Ids look like 01890a5d-ac96-774b-bcce-b302099a8057")
