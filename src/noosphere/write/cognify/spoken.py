"""What was said in a turn, sentence by sentence, without code, logs, output of tools and text that was recalled."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from noosphere.store.words.fold import colourless

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_TEXT = 20_000  # characters of a turn that are read: more is a document, which harvest takes in
MAX_SENTENCE = 400  # characters: what one can say in a sentence
BULLET = re.compile(r"^\s*(?:[-*•–]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?")
MONTHS = (
    "Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|jan|feb|mar|apr|maj|jun|jul|aug|sep|okt|nov|dec"  # "am 9. Mai"
)
END = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bSt)(?<!\bNo)(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bapprox)"
    rf"[.!?…]{{1,12}}(?!(?<=\d\.) (?:{MONTHS}|[a-zäöüß]))[\"'”’)*_]{{0,12}}\s+|[。！？]"
)
# Paragraphs in quotation marks: a text that is worked on; what is quoted inside a sentence stays.
DRAFT = re.compile(r"^[ \t>*-]*[\"“][^\"“”\n]{80,}(?:\n+[\"“]?[^\"“”\n]{1,2000}){0,40}(?:[\"”]|\Z)", re.MULTILINE)
BLANK = re.compile(r"(\n\s*\n)")
STRONG = re.compile(r"(\*\*|__)(?=\S)|(?<=\S)(\*\*|__)")


@dataclass(frozen=True, slots=True)
class Block:
    """What stands between two marks."""

    id: str
    open: re.Pattern[str]
    close: str  # what ends it: "same", the mark that opened it; "tag", the closing tag of its own name; "never"


@dataclass(frozen=True, slots=True)
class Noise:
    """What is not speech."""

    blocks: tuple[Block, ...]
    line: re.Pattern[str]
    paragraph: re.Pattern[str]
    listing: re.Pattern[str]


def sentences(text: str) -> list[str]:
    """The sentences that somebody said, in order; long ones are no sentences and are left out."""
    found: list[str] = []
    told = _without_listings(_without_blocks(colourless(text[:MAX_TEXT])))
    for paragraph in _paragraphs(DRAFT.sub("\n", told)):
        found += (s for s in _cut(paragraph) if 0 < len(s) <= MAX_SENTENCE)
    return found


def _cut(paragraph: str) -> Iterator[str]:
    at = 0
    for end in END.finditer(paragraph):
        yield STRONG.sub("", paragraph[at : end.end()]).strip()
        at = end.end()
    yield STRONG.sub("", paragraph[at:]).strip()


def _without_blocks(text: str) -> str:
    for block in noise().blocks:
        kept: list[str] = []
        at = 0
        while (mark := block.open.search(text, at)) is not None:
            kept.append(text[at : mark.start()])
            if block.close == "never":
                at = len(text)
                break
            close = re.compile(re.escape(f"</{mark[1]}>" if block.close == "tag" else mark[0]), re.IGNORECASE)
            end = close.search(text, mark.end())
            at = len(text) if end is None else end.end()
        text = "\n".join([*kept, text[at:]]) if kept else text
    return text


def _without_listings(text: str) -> str:
    """Leave out the paragraphs that bear a mark of what this engine prints."""
    listing = noise().listing
    return "".join(part for part in BLANK.split(text) if listing.search(part) is None)


def _paragraphs(text: str) -> Iterator[str]:
    """Lines that are speech; a line that goes on in the next, as in wrapped text, is one with it."""
    rules, skipping, held = noise(), False, ""
    for line in text.split("\n"):
        if not line.strip():
            skipping = False
        elif rules.paragraph.search(line):
            skipping = True
        elif not skipping and not rules.line.search(line):
            if held and line[0].islower() and held[-1] not in ".!?:;…":
                held = f"{held} {line.strip()}"
                continue
            if held:
                yield held
            held = BULLET.sub("", line).strip()
            continue
        if held:
            yield held
        held = ""
    if held:
        yield held


@cache
def noise() -> Noise:
    """Read the rules, once."""
    given = data()
    return Noise(
        blocks=tuple(Block(b["id"], re.compile(b["open"], re.IGNORECASE), b["close"]) for b in given["block"]),
        line=_any(given["line"]),
        paragraph=_any(given["paragraph"]),
        listing=_any(given["listing"]),
    )


def _any(rules: list[dict[str, Any]]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{rule['pattern']})" for rule in rules), re.IGNORECASE | re.MULTILINE)


@cache
def data() -> dict[str, Any]:
    """The file of rules as it stands."""
    return tomllib.loads(resources.files("noosphere.write.cognify").joinpath("spoken.toml").read_text(encoding="utf-8"))
