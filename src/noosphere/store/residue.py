"""The proof of an erasure: a search of files, byte by byte, for pieces of what was erased."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noosphere.ids import uid_text
from noosphere.store.backup import SIDE_FILES
from noosphere.store.failures import on_disk
from noosphere.store.key import MAGIC, decrypted, is_encrypted
from noosphere.store.portable import FORMAT
from noosphere.store.raw import raw_file

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from noosphere.store.connection import Connection
    from noosphere.store.key import Key
    from noosphere.store.mind_file import MindFile

SHORTEST = 6  # bytes: less than this stands in any file by chance
PIECE = 24  # bytes of a piece; a page that a text once filled holds many
MOST = 64  # pieces of one text, evenly spread
BLOCK = 1 << 20
EXPORT = f'{{"format": "{FORMAT}"'.encode()  # how the first line of an export begins


@dataclass(frozen=True, slots=True)
class Living:
    """Where rows that are there hold a piece: other memories and turns by id, and other columns by name."""

    ids: tuple[str, ...]
    columns: tuple[str, ...]


def pieces(texts: Iterable[str], rows: Iterable[bytes] = ()) -> list[bytes]:
    """What to search for: parts of each text in UTF-8, and the beginning of each vector."""
    found: list[bytes] = [row[: 2 * PIECE] for row in rows if any(row[: 2 * PIECE])]
    for text in texts:
        whole = text.strip().encode()
        step = max(PIECE, len(whole) // MOST)
        found += [whole[at : at + PIECE] for at in range(0, max(len(whole) - PIECE, 0), step)]
        found.append(whole[-PIECE:])
    return [piece for piece in dict.fromkeys(found) if len(piece) >= SHORTEST]


def own_files(mind: MindFile) -> list[Path]:
    """The mind's file, its WAL, and the segments beside it."""
    wal = mind.path.with_name(f"{mind.path.name}-wal")
    segments = sorted(mind.path.parent.glob(f"{mind.mind}.*.q8*"))
    return [path for path in (mind.path, wal, *segments) if path.is_file()]


def beside(mind: MindFile, others: Iterable[Path]) -> Iterator[Path]:
    """SQLite files and exports beside the mind, and what is given, or in folders given: what may be copies."""
    mine = {*own_files(mind), *(mind.path.with_name(f"{mind.path.name}{end}") for end in SIDE_FILES)}
    for path in sorted(mind.path.parent.iterdir()):
        if path not in mine and path.is_file() and _is_copy(path):
            yield path
    for other in others:
        for path in sorted(other.rglob("*")) if other.is_dir() else [other]:
            if path not in mine and path.is_file():
                yield path


def present(path: Path, wanted: Collection[bytes], key: Key | None = None) -> set[bytes]:
    """Which pieces a file holds; of an encrypted database, which its pages hold before encryption.

    One that the key does not open may hold any of them.
    """
    found: set[bytes] = set()
    longest = max(map(len, wanted), default=1)
    before = b""
    blocks = _blocks(path)
    if is_encrypted(next(_blocks(path), b"")):
        pages = decrypted(path, key)
        if pages is None:
            return set(wanted)
        blocks = iter((pages,))
    for block in blocks:
        seen = before + block
        found |= {piece for piece in wanted if piece not in found and piece in seen}
        before = seen[-(longest - 1) :] if longest > 1 else b""
    return found


def living(sql: Connection, piece: bytes) -> Living:
    """Where rows hold a piece that was erased elsewhere."""
    held = [uid_text(uid) for (uid,) in sql.execute(
        "SELECT uid FROM frame WHERE text IS NOT NULL AND instr(CAST(text AS BLOB), ?) > 0", (piece,))]  # fmt: skip
    columns: list[str] = []
    for (table,) in sql.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
    ).fetchall():
        for (column,) in sql.execute("SELECT name FROM pragma_table_info(?)", (table,)).fetchall():
            query = f'SELECT 1 FROM "{table}" WHERE instr(CAST("{column}" AS BLOB), ?) > 0 LIMIT 1'
            if (table, column) != ("frame", "text") and sql.execute(query, (piece,)).get is not None:
                columns.append(f"{table}.{column}")
    query = "SELECT 1 FROM sqlite_schema WHERE instr(CAST(sql AS BLOB), ?) > 0 LIMIT 1"
    if sql.execute(query, (piece,)).get is not None:
        columns.append("sqlite_schema.sql")
    return Living(tuple(held), tuple(columns))


def _is_copy(path: Path) -> bool:
    start = next(_blocks(path), b"")
    return start.startswith((MAGIC, EXPORT)) or is_encrypted(start)


def _blocks(path: Path) -> Iterator[bytes]:
    """A file's bytes."""
    with on_disk(path), raw_file(path) as file:
        size = file.xFileSize()
        for at in range(0, size, BLOCK):
            yield file.xRead(min(BLOCK, size - at), at)
