"""ChatGPT's citation marks in a text, resolved to what they cite or taken out.

A mark is written in private-use characters, `U+E200 cite U+E202 turn0search3 U+E201`, and shown by the
web page as a link; before 2025 it was `【3†source】`. The message's metadata says what each stands for,
with offsets into the raw text that JavaScript counted; the marked text itself is the safer key.
"""

from __future__ import annotations

import json
import re
from typing import Any

from noosphere.harvest.untrusted import as_list, as_record, as_text, first_text

OPEN, CLOSE, BAR = "\ue200", "\ue201", "\ue202"
MARK = re.compile(f"{OPEN}([a-z_]*)(?:{BAR}([^{OPEN}{CLOSE}]*))?{CLOSE}")
LONE = re.compile("[\ue200-\ue20f]")  # what frames a cited passage (U+E203, U+E204), or is left of a broken mark
OLD_MARK = re.compile(r"【\d+(?::\d+)?†[^【】\n]{0,200}】")
TEXT_KINDS = frozenset({"url", "link", "link_title"})  # marks whose first field is what a reader sees


def readable(text: str, references: Any) -> str:
    """Put what a citation shows in the place of its mark; a mark nobody explains goes, with the space before it."""
    if not LONE.search(text) and not OLD_MARK.search(text):
        return text
    for reference in map(as_record, as_list(references)):
        mark = as_text(reference.get("matched_text"))
        # A reference may match a single space: only real marks are replaced (rashidazarang PR 35).
        if mark and (LONE.search(mark) or OLD_MARK.fullmatch(mark)):
            text = _put(text, mark, _shown(reference))
    for match in list(MARK.finditer(text)):
        text = _put(text, match[0], _unexplained(match[1], match[2] or ""))
    for match in list(OLD_MARK.finditer(text)):
        text = _put(text, match[0], "")
    return LONE.sub("", text)


def _put(text: str, mark: str, words: str) -> str:
    return text.replace(mark, words) if words else text.replace(f" {mark}", "").replace(mark, "")


def _shown(reference: dict[str, Any]) -> str:
    """The Markdown ChatGPT shows for a reference, else the links of its items."""
    if alt := as_text(reference.get("alt")):
        return alt.strip()
    links = [_link(as_record(item)) for item in as_list(reference.get("items"))] or [_link(reference)]
    listed = ", ".join(link for link in links if link)
    return f"({listed})" if listed else ""


def _link(item: dict[str, Any]) -> str:
    url, title = first_text(item, "url"), first_text(item, "title", "name")
    return f"[{title}]({url})" if url and title else url or ""


def _unexplained(kind: str, fields: str) -> str:
    """The words inside a mark that would leave a hole in the sentence: the name of an entity, a link's title."""
    if kind == "entity":
        try:
            name = as_list(json.loads(fields))[1:2]
        except (ValueError, RecursionError):
            return ""
        return as_text(name[0]) or "" if name else ""
    return fields.split(BAR, maxsplit=1)[0].strip() if kind in TEXT_KINDS else ""
