"""What Markdown and plain-text files share: what counts as prose, a note's name, the day a name speaks of."""

from __future__ import annotations

import re
from datetime import date

from noosphere.harvest.encoding import decode, is_text

# Text that is data of another kind. Not JSON: `[[a link]]`, `[ ] a task`, `[2026-05-14 10:03] Ann: …`.
DATA = re.compile(
    r"""\s*(?:
        \{\s*["}] | \[\s*(?:[{"]|\[\s*[\["{]|\]\s*\Z)  # JSON
        | <\?xml | <!doctype | <html | <svg
        | %PDF- | %!PS | \{\\rtf
    | \#!\s*/  # the program that runs a script
    )""",
    re.IGNORECASE | re.VERBOSE,
)
CODE = frozenset({
    "asm", "awk", "bash", "bat", "c", "cc", "cjs", "clj", "cljs", "cmake", "cmd", "coffee", "cpp", "cs", "css",
    "cts", "cu", "cxx", "d", "dart", "diff", "elm", "erl", "ex", "exs", "f90", "fish", "fs", "fsx", "glsl", "go",
    "gradle", "groovy", "h", "hcl", "hh", "hpp", "hrl", "hs", "hxx", "java", "jl", "js", "jsx", "kt", "kts", "less",
    "lisp", "lock", "lua", "m", "mjs", "mk", "ml", "mli", "mm", "mts", "nim", "nix", "pas", "patch", "php", "pl",
    "pm", "proto", "ps1", "py", "pyi", "pyx", "r", "rb", "rkt", "rs", "sass", "scala", "scm", "scss", "sh", "sol",
    "sql", "svelte", "swift", "tcl", "tf", "ts", "tsx", "v", "vb", "vhd", "vue", "wat", "wgsl", "zig", "zsh",
})  # fmt: skip
DAY = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")


def prose_of(head: bytes) -> str | None:
    """The first characters of a file if they are text for people, else None."""
    if not is_text(head):
        return None
    text = decode(head).text
    return None if DATA.match(text) else text


def stem_of(name: str) -> str:
    """A member's name without its folders and its suffix."""
    return name.rsplit("/", 1)[-1].removesuffix(suffix_of(name))


def suffix_of(name: str) -> str:
    """The suffix of a member's name with its dot; `Dr. Smith` and `.profile` have none."""
    stem, dot, suffix = name.rsplit("/", 1)[-1].rpartition(".")
    return dot + suffix if stem and suffix.isalnum() else ""


def is_code(name: str) -> bool:
    """Whether a member is source code, by its name: its comments are words, but nobody wrote it to be remembered."""
    return suffix_of(name).lower().removeprefix(".") in CODE


def day_of(stem: str) -> str | None:
    """The one calendar day a file's name speaks of; two of them are a range, which is no day."""
    days = DAY.findall(stem)
    if len(days) != 1:
        return None
    try:
        return date.fromisoformat(days[0]).isoformat()
    except ValueError:
        return None
