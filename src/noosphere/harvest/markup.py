"""HTML as text: blocks and line breaks become lines, and nothing that a reader could not see comes through."""

from __future__ import annotations

import re
from html.parser import HTMLParser

UNSEEN = frozenset({"script", "style", "template", "noscript", "head", "title", "iframe", "object", "svg"})
VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})
BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "dd", "div", "dl", "dt", "figure", "footer", "form", "h1", "h2"}
    | {"h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table", "tr", "ul"}
)
HIDING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:px|em|pt|%)?\s*(?:;|$)", re.IGNORECASE
)
SPACES = re.compile(r"[ \t\r\n\f]+")
LINES = re.compile(r"\n{3,}")


def text_of(html: str) -> str:
    """The text a reader of this piece of HTML sees."""
    parser = SeenText()
    parser.feed(html)
    parser.close()
    return parser.text()


class SeenText(HTMLParser):
    """Gathers the text of what is fed to it; elements that are hidden, and all in them, are passed over."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._pieces: list[str] = []
        self._hidden: list[str] = []
        self._pre = 0

    def text(self) -> str:
        """What was seen so far."""
        lines = "".join(self._pieces).split("\n")
        return LINES.sub("\n\n", "\n".join(line.rstrip() if self._pre else line.strip(" \t") for line in lines)).strip()

    def clear(self) -> None:
        """Begin a new text."""
        self._pieces = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a hidden element, and begin a line where one begins."""
        if tag not in VOID and (self._hidden or tag in UNSEEN or _is_hidden(dict(attrs))):
            self._hidden.append(tag)
            return
        self._pre += tag == "pre"
        if tag == "br":
            self._add("\n")
        elif tag in BLOCKS:
            self._add("\n\n" if tag in ("p", "pre", "table", "ul", "ol") else "\n")
        if tag == "li":
            self._add("- ")

    def handle_endtag(self, tag: str) -> None:
        """End a hidden element, and the line of a block."""
        if self._hidden:
            if tag in self._hidden:
                while self._hidden.pop() != tag:
                    pass
            return
        self._pre -= tag == "pre" and self._pre > 0
        if tag in BLOCKS:
            self._add("\n\n" if tag in ("p", "pre", "table", "ul", "ol") else "\n")
        elif tag in ("td", "th"):
            self._add(" ")

    def handle_data(self, data: str) -> None:
        """Keep what is seen."""
        if not self._hidden:
            self._add(data if self._pre else SPACES.sub(" ", data))

    def _add(self, piece: str) -> None:
        self._pieces.append(piece)


def _is_hidden(attributes: dict[str, str | None]) -> bool:
    style = attributes.get("style") or ""
    return "hidden" in attributes or attributes.get("aria-hidden") == "true" or HIDING.search(style) is not None
