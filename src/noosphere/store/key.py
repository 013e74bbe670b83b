"""The key of an encrypted mind: how it unlocks a connection, and what is said of a file that it does not open.

Encryption is SQLite3 Multiple Ciphers, which the driver of the extra `encrypted` brings: it takes the place of apsw
under the same name. Every page of the file and of its WAL is encrypted and authenticated.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, cast

import apsw

from noosphere.errors import InvalidInput, NotAMind, StorageError, WrongKey
from noosphere.records import dataclass
from noosphere.store.raw import read_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from noosphere.store.connection import Connection

CIPHER = "aegis"  # AEGIS-256 with an Argon2id key: the quickest of the authenticated ciphers that the driver has
SHORTEST = 8  # characters of a key
MAGIC = b"SQLite format 3\0"
FRACTIONS = slice(21, 24), b"\x40\x20\x20"  # of every SQLite header; the cipher leaves bytes 16 to 23 readable
HEADER_BYTES = 32


@dataclass(frozen=True, slots=True)
class Key:
    """What opens an encrypted mind; never shown."""

    secret: str = field(repr=False)

    def unlock(self, connection: apsw.Connection) -> None:
        """Give a fresh connection the key, before anything of the file is read."""
        typed = cast("Connection", connection)
        typed.pragma("cipher", CIPHER)
        typed.pragma("key", self.secret)


def read_key(text: str) -> Key:
    """Read a key; nothing is opened with it yet.

    Raises:
        InvalidInput: it is too short, or the installed driver cannot encrypt.
    """
    if getattr(apsw, "mc_version", None) is None:
        raise InvalidInput(
            "key",
            "the installed SQLite driver cannot encrypt",
            "Install one that can: `pip install 'noosphere[encrypted]'`, and if it is apsw still:"
            " `pip install --force-reinstall --no-deps apsw-sqlite3mc`",
        )
    if len(text) < SHORTEST or "\0" in text:
        raise InvalidInput("key", "is too short to be one, or holds a NUL", f"Give {SHORTEST} characters or more")
    return Key(text)


def change(path: Path, old: Key | None, new: Key | None) -> None:
    """Encrypt a file anew in place, or with None take its encryption away; a crash spoils it, so it is a copy's."""
    raw = apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE)
    connection = cast("Connection", raw)
    try:
        if old is not None:
            old.unlock(raw)
        connection.pragma("journal_mode", "memory")
        connection.pragma("cipher", CIPHER)
        connection.pragma("rekey", "" if new is None else new.secret)
    finally:
        connection.close()


def is_encrypted(header: bytes) -> bool:
    """Whether a file that begins so is an encrypted database."""
    place, fractions = FRACTIONS
    return header[place] == fractions and not header.startswith(MAGIC)


def decrypted(path: Path, key: Key | None) -> bytes | None:
    """Every page of an encrypted database as it was before encryption, free ones too; None when it does not open.

    It needs as much memory as the file is large.
    """
    if key is None:
        return None
    raw = apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE)
    try:
        key.unlock(raw)
        return raw.serialize("main")
    except apsw.NotADBError:
        return None
    finally:
        raw.close()


def refusal(path: Path, key: Key | None) -> StorageError:
    """What to say of a file that SQLite takes for none of its own, or that the key does not open."""
    header = _header(path)
    if key is not None and header.startswith(MAGIC):
        return WrongKey(str(path), "is not encrypted", "Open it without a key, or encrypt it with `noosphere rekey`")
    if not is_encrypted(header):
        return NotAMind(str(path), "is not a SQLite file", "Give the path of a mind, or of a file to create")
    if key is None:
        remedy = "Give its key: in NOOSPHERE_KEY, or as the setting key_from says"
        return WrongKey(str(path), "is encrypted", remedy)
    return WrongKey(str(path), "does not open with this key", "Give the key that it was last encrypted with")


def _header(path: Path) -> bytes:
    """A file's first bytes; none when it cannot be opened."""
    try:
        return read_bytes(path, 0, HEADER_BYTES)
    except apsw.CantOpenError:
        return b""
