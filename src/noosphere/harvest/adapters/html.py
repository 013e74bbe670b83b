"""Web pages: one note each, their main text as Markdown; read by trafilatura, the extra `web`.

What a reader of the page could not see (hidden elements, comments, scripts) is taken out before anything is read.
"""

from __future__ import annotations

import codecs
import logging
import re
from typing import TYPE_CHECKING, Any

from noosphere.harvest.adapter import Match
from noosphere.harvest.document import document_note
from noosphere.harvest.encoding import Decoded, decode, encoding_of, is_text
from noosphere.harvest.items import Found, Left, Omission, Reject
from noosphere.harvest.markup import HIDING, text_of
from noosphere.harvest.prose import suffix_of
from noosphere.harvest.times import Instant, read_instant
from noosphere.harvest.untrusted import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from noosphere.harvest.members import Member

NAME = "html"
SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
WHAT = "web page"
INSTALL = "Install it with `pip install 'noosphere[web]'`"
OPENING = re.compile(
    r"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
FRAGMENT = re.compile(r"\s*<[a-z][^<>]*>.*</", re.IGNORECASE | re.DOTALL)
CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
CHARSET_BYTES = 4096  # how far into a page its charset is looked for; browsers look 1024 bytes
NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what no document of XML may hold
XML_OPENING = re.compile(r"\s*<\?xml[^>]*\?>")  # lxml takes no text that says its own encoding
UNSEEN = "//comment() | //script | //style | //template | //noscript | //*[@hidden] | //*[@aria-hidden='true']"
ENOUGH = 250  # characters: a main text shorter than this may be the wrong part of a short page
PUBLISHED = (
    "//meta[@property='article:published_time']/@content",
    "//meta[@itemprop='datePublished']/@content",
    "//meta[@name='date' or @name='dc.date' or @name='DC.date']/@content",
)


def matches(member: Member, head: bytes) -> Match:
    """Know a page by its opening, a piece of one by its suffix."""
    if not is_text(head):
        return Match.NO
    text = decode(head).text
    if OPENING.match(text):
        return Match.LIKELY
    return Match.LIKELY if suffix_of(member.name).lower() in SUFFIXES and FRAGMENT.match(text) else Match.NO


def read(member: Member) -> Iterator[Found]:
    """Yield the page as a note, or why there is none."""
    data = member.bytes()
    if isinstance(data, Reject):
        yield data
        return
    try:
        yield _note(member, _decoded(data))
    except ImportError:
        yield Reject(member.origin, WHAT, "needs trafilatura, which is not installed", INSTALL)


def _decoded(data: bytes) -> Decoded:
    """The page as text; without a byte order mark its own word for its encoding counts."""
    told = CHARSET.search(data[:CHARSET_BYTES])
    if told and encoding_of(data)[1] == 0:
        try:
            return Decoded(data.decode(codecs.lookup(told[1].decode("ascii", "replace")).name))
        except (LookupError, ValueError):  # no such encoding, or not this one
            pass
    return decode(data)


def _note(member: Member, decoded: Decoded) -> Found:
    tree = _seen(decoded.text)
    if tree is None:
        return Left(member.origin, Omission.EMPTY_NOTE)
    text = _main(tree)
    if not text:
        return Left(member.origin, Omission.EMPTY_NOTE)
    title = " ".join((as_text(tree.findtext(".//title")) or "").split())
    return document_note(member, NAME, text, title=title, made=_published(tree), notes=decoded.repairs)


def _lxml() -> Any:
    from lxml import html  # noqa: PLC0415  (comes with the extra)

    return html


def _seen(text: str) -> Any | None:
    """The page as a tree of what can be seen; None when there is nothing in it."""
    html = _lxml()
    try:
        tree: Any = html.document_fromstring(XML_OPENING.sub("", NO_XML.sub("", text), count=1))
    except html.etree.LxmlError:
        return None
    styled = [node for node in tree.xpath("//*[@style]") if HIDING.search(node.get("style"))]
    for node in (*tree.xpath(UNSEEN), *styled):
        if node.getparent() is not None:
            node.drop_tree()
    return tree


def _main(tree: Any) -> str:
    """The main text; of a page too short to tell it apart, all of the text."""
    import trafilatura  # noqa: PLC0415  (an extra)

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # its warnings quote what a page holds
    html = _lxml()
    written: str = html.tostring(tree, encoding="unicode")
    main: str = trafilatura.extract(written, output_format="markdown", include_comments=False) or ""
    return main.strip() if len(main) >= ENOUGH else text_of(written)


def _published(tree: Any) -> Instant | None:
    """The date the page gives itself; none is guessed from its text."""
    told = (value for path in PUBLISHED for value in tree.xpath(path))
    return next((instant for value in told if (instant := read_instant(str(value)))), None)
