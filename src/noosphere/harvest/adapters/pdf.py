"""PDF documents: one note each, the words of all pages in their order; read by pypdf, the extra `pdf`.

A document that opens without a password is read even if it is encrypted. Its pictures are not looked at: one that
holds nothing else is a reject that says so.
"""

from __future__ import annotations

import io
import logging
import re
from collections import Counter
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from noosphere.harvest.adapter import Match
from noosphere.harvest.document import document_note
from noosphere.harvest.items import Found, Reject
from noosphere.harvest.pdf_columns import in_columns
from noosphere.harvest.times import Instant, read_instant
from noosphere.harvest.untrusted import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.harvest.members import Member

NAME = "pdf"
WHAT = "PDF document"
MAGIC = b"%PDF-"
LATEST_MAGIC = 1024  # readers accept some bytes before the magic, up to here
MAX_CHARACTERS = 64 * 2**20  # of one document: a page may unpack to any length
INSTALL = "Install it with `pip install 'noosphere[pdf]'`"
HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad]\n(?=[a-zß-ÿ])")  # a word parted at the end of a line goes on in lower case
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]|[\ud800-\udfff]")  # left by fonts whose encoding is wrong
SHAPES = re.compile(
    "[\ufb00-\ufb06\ufb1d-\ufdff\ufe70-\ufefc]+"
)  # letters as they were drawn: joined, or by their place in a word
MADE_BY_PROGRAM = re.compile(
    r"(?:Microsoft \w+ - .*|untitled.*|.*\.(?:docx?|indd|tex|dvi|pdf|pptx?|xlsx?))", re.IGNORECASE
)


def matches(member: Member, head: bytes) -> Match:  # noqa: ARG001  (judged by content alone)
    """Know a PDF by its first bytes."""
    return Match.SURE if MAGIC in head[:LATEST_MAGIC] and not head.lstrip().startswith((b"<", b"{", b"[")) else Match.NO


def read(member: Member) -> Iterator[Found]:
    """Yield the document as a note, or why there is none."""
    data = member.bytes()
    if isinstance(data, Reject):
        yield data
        return
    try:
        pypdf = _pypdf()
    except ImportError:
        yield Reject(member.origin, WHAT, "needs pypdf, which is not installed", INSTALL)
        return
    try:
        document = pypdf.PdfReader(io.BytesIO(data))
        is_open = not document.is_encrypted or bool(document.decrypt(""))
        yield _note(member, document) if is_open else _locked(member)
    except pypdf.errors.FileNotDecryptedError:
        yield _locked(member)
    except Exception as problem:  # noqa: BLE001  (a broken PDF raises anything at all, from KeyError to RecursionError)
        why = f"cannot be read ({type(problem).__name__})"
        yield Reject(member.origin, WHAT, why, "Open it in a viewer and save it again")


def _pypdf() -> Any:
    import pypdf  # noqa: PLC0415  (an extra)

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its warnings quote what a document holds
    return pypdf


def _locked(member: Member) -> Reject:
    return Reject(member.origin, WHAT, "is locked with a password", "Save a copy without the password")


def _note(member: Member, document: Any) -> Found:
    pages: list[str] = []
    size = 0
    for page in document.pages:
        pages.append(_words(_drawn(page)))
        size += len(pages[-1])
        if size > MAX_CHARACTERS:
            return Reject(member.origin, WHAT, f"has more than {MAX_CHARACTERS} characters", "Split it into parts")
    text = "\n\n".join(page for page in pages if page)
    if not text:
        what = f"has no text in its {len(pages)} pages" if pages else "has no pages"
        return Reject(member.origin, WHAT, what, "Run text recognition (OCR) over it" if pages else "Save it again")
    title, made = _told(document)
    empty = len(pages) - sum(map(bool, pages))
    notes = (f"pages without text: {empty}",) if empty else ()
    return document_note(member, NAME, text, title=title, made=made, notes=notes, about={"pages": len(pages)})


def _drawn(page: Any) -> str:
    """The text of a page, in the order of its columns where it has some, else as it was drawn."""
    plain: str = page.extract_text()
    try:
        found = in_columns(page.extract_text(extraction_mode="layout"))
    except Exception:  # noqa: BLE001  (a page whose lines cannot be laid out still has its words)
        return plain
    return found if found is not None and _letters(found) == _letters(plain) else plain


def _letters(text: str) -> Counter[str]:
    """What a text is written with: laying out leaves out what stands askew."""
    return Counter("".join(text.split()))


def _words(text: str) -> str:
    shaped = SHAPES.sub(lambda found: normalize("NFKC", found[0]), text)
    lines = (line.rstrip() for line in CONTROLS.sub("", HYPHEN.sub("", shaped)).splitlines())
    return "\n".join(lines).strip()


def _told(document: Any) -> tuple[str | None, Instant | None]:
    """Title and date of the metadata, which are often wrong: they may be missing, unreadable, or a program's own."""
    try:
        about = document.metadata
        title, created = (about.title, about.creation_date) if about else (None, None)
    except Exception:  # noqa: BLE001  (an unreadable field costs the field, not the document)
        return None, None
    title = " ".join(CONTROLS.sub("", _meant(as_text(title) or "")).split())
    is_title = title and not MADE_BY_PROGRAM.fullmatch(title)
    return title if is_title else None, read_instant(created.isoformat()) if created else None


def _meant(title: str) -> str:
    """A title whose UTF-8 was taken for single bytes, as it was written; any other as it is."""
    try:
        return title.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return title
