"""Reading the pages: their fences, the links they make, and the examples in them that must stay true.

What a page may write:

- ```` ```python ````: run, in order, in one namespace for the whole page. A line that prints is followed by what it
  prints, as `# -> text`, one comment for each line.
- ```` ```python no-run ````: not run; the line above says why, as `<!-- no-run: the reason -->`.
- ```` ```console ````: commands after `$ ` and what they answer (doc_console.py).
- ```` ```json notes.jsonl ````: a file that lies in the working folder of the page's examples.
"""

from __future__ import annotations

import contextlib
import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

import noosphere

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
WITH_MODELS = frozenset({"README.md", "recall.md", "spaces-and-embeddings.md", "python.md"})  # the others do without
FENCE = re.compile(r"^(?P<mark>`{3,})(?P<info>[^`\n]*)$")
NO_RUN = re.compile(r"<!-- no-run: \S.*-->")
EXPECTED = re.compile(r"# -> ?(.*)")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
INLINE_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.*?)\s*#*$", re.MULTILINE)


@dataclass(frozen=True)
class Fence:
    """A fenced block: the first word of its info line, the rest of it, its text, and where it begins."""

    language: str
    options: str
    text: str
    line: int
    above: str


def title(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def fences(page: Path) -> list[Fence]:
    """The fenced blocks of a page, in order."""
    found: list[Fence] = []
    lines = page.read_text(encoding="utf-8").split("\n")
    at = 0
    while at < len(lines):
        opened = FENCE.match(lines[at])
        if opened is None:
            at += 1
            continue
        end = next(n for n in range(at + 1, len(lines)) if lines[n].strip() == opened["mark"])
        language, _, options = opened["info"].strip().partition(" ")
        above = lines[at - 1] if at else ""
        found.append(Fence(language, options.strip(), "\n".join(lines[at + 1 : end]) + "\n", at + 2, above))
        at = end + 1
    return found


def prose(page: Path) -> str:
    """A page without its fenced blocks and comments."""
    text = page.read_text(encoding="utf-8")
    for fence in fences(page):
        text = text.replace(fence.text, "", 1)
    return COMMENT.sub("", text)


def links(page: Path) -> list[str]:
    """Where the links of a page lead."""
    return LINK.findall(INLINE_CODE.sub("", prose(page)))


def anchors(page: Path) -> set[str]:
    """What a link to a heading of this page may be called."""
    heads = (re.sub(r"[`*]", "", head).strip().lower() for head in HEADING.findall(prose(page)))
    return {re.sub(r"[^\w\- ]", "", head).replace(" ", "-") for head in heads}


def write_files(page: Path, folder: Path) -> None:
    """Put the files a page shows into a folder."""
    for fence in fences(page):
        if fence.options and fence.language not in {"python", "console"}:
            (folder / fence.options).parent.mkdir(parents=True, exist_ok=True)
            (folder / fence.options).write_text(fence.text, encoding="utf-8")


def run_python(page: Path) -> None:
    """Run the Python blocks of a page in order, and compare what they print with what they say they print."""
    namespace: dict[str, object] = {"__name__": "__docs__"}
    try:
        for fence in fences(page):
            if fence.language == "python" and fence.options != "no-run":
                run_block(fence.text, page, namespace, line=fence.line)
    finally:
        for value in namespace.values():
            if isinstance(value, noosphere.Mind):
                value.close()


def run_block(text: str, page: Path, namespace: dict[str, object], *, line: int = 1) -> None:
    """Run one block; a failure points into the page."""
    code = compile("\n" * (line - 1) + text, str(page), "exec", dont_inherit=True)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)  # noqa: S102  (the examples are ours)
    assert printed.getvalue().splitlines() == said_to_print(text), f"{title(page)}, the block at line {line}"


def said_to_print(text: str) -> list[str]:
    """The lines a block says it prints."""
    comments = (t.string for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == tokenize.COMMENT)
    return [match[1] for comment in comments if (match := EXPECTED.fullmatch(comment))]
