"""The body of a Markdown note as prose: wikilinks in words, embeds named, tags and links gathered, code untouched."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator

IMAGES = frozenset({"png", "jpg", "jpeg", "gif", "webp", "svg", "bmp", "avif", "heic"})
SIZE = re.compile(r"\d+(?:x\d+)?")  # `![[white.png|300]]`: the alias of an image may be its width
CODE_OR_LINK = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|(!?)\[\[([^\[\]\n]+)\]\]")
TAG = re.compile(r"(?<!\S)#([\w/\-\u2600-\u27bf\U0001f300-\U0001faff]+)")
EMPHASIS = re.compile(r"[*`]+")


@dataclass(frozen=True, slots=True)
class Prose:
    """A note's body, readable without its vault.

    Attributes:
        heading: the first heading of the first level.
        links: pages that wikilinks lead to, in order, without repeats.
        embeds: what the note shows of other files; never expanded, since notes may embed each other in a circle.
        tags: written in the text, without their #.
    """

    text: str
    heading: str | None
    links: tuple[str, ...]
    embeds: tuple[str, ...]
    tags: tuple[str, ...]


def read_prose(body: str) -> Prose:
    """Read a note's body; lines of code stay as they are and give neither links nor tags."""
    code, heading = _blocks(body)
    gathered = _Gathered()
    lines = [line if n in code else gathered.line(line) for n, line in enumerate(body.split("\n"))]
    return Prose(
        text="\n".join(lines),
        heading=EMPHASIS.sub("", _Gathered().line(heading)).strip() or None if heading else None,
        links=tuple(gathered.links),
        embeds=tuple(gathered.embeds),
        tags=tuple(gathered.tags),
    )


def _blocks(body: str) -> tuple[set[int], str | None]:
    """The numbers of the lines that are code, and the first heading of the first level."""
    parser = MarkdownIt("commonmark").disable("inline")  # blocks are all we ask for
    tokens = parser.parse(body)
    code = {n for token in tokens if token.type in {"fence", "code_block"} and token.map for n in range(*token.map)}
    heads = (
        after.content
        for token, after in pairwise(tokens)
        if token.type == "heading_open" and token.tag == "h1" and token.level == 0 and after.content.strip()
    )
    return code, next(heads, None)


class _Gathered:
    """Links, embeds and tags met so far, each once, in order."""

    def __init__(self) -> None:
        self.links: dict[str, None] = {}
        self.embeds: dict[str, None] = {}
        self.tags: dict[str, None] = {}

    def line(self, line: str) -> str:
        """Write a line's links in words."""
        if "#" in line:
            bare = CODE_OR_LINK.sub("`", line)
            self.tags.update(dict.fromkeys(_tags(bare)))
        return CODE_OR_LINK.sub(self._words, line) if "[[" in line else line

    def _words(self, match: re.Match[str]) -> str:
        if match[3] is None:
            return match[0]
        page, place, alias = _target(match[3])
        if match[2]:
            return self._embed(page, place, alias)
        if page:
            self.links[page] = None
        where = " > ".join(part for part in (page, *place) if part and not part.startswith("^"))
        return alias or where or " ".join(place) or match[0]

    def _embed(self, page: str, place: tuple[str, ...], alias: str) -> str:
        self.embeds[page] = None
        if page.rpartition(".")[2].lower() in IMAGES:
            return f"[shares photo: {page if not alias or SIZE.fullmatch(alias) else alias}]"
        return f"[embeds: {' > '.join((page, *place))}]"


def _tags(line: str) -> Iterator[str]:
    for found in TAG.findall(line):
        tag = found.strip("/-")
        if any(not character.isdigit() for character in tag):  # `#123` is an issue, not a tag
            yield tag


def _target(inner: str) -> tuple[str, tuple[str, ...], str]:
    """Part `page#heading|alias`, and `page^block`; in a table the pipe is escaped."""
    target, _, alias = inner.replace("\\|", "|").partition("|")
    page, *place = target.split("#")
    page, caret, block = page.partition("^")
    places = tuple(part.strip() for part in (*place, f"^{block}" if caret else "") if part.strip())
    return page.strip().removesuffix(".md"), places, alias.strip()
