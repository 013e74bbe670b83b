"""The reference page of the verbs, written from the table: `python -m noosphere.serve.verbs.reference`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.serve.verbs.table import VERBS
from noosphere.serve.verbs.verb import Empty

if TYPE_CHECKING:
    from noosphere.serve.verbs.verb import Verb

HEAD = """# Every verb, behind every door

Written from the table in `src/noosphere/serve/verbs`; a test compares the two. A dash is an empty cell, and the
reasons for them stand below. REST routes take `?mind=`, MCP tools `mind`, commands `--mind`; verbs of the whole
noosphere that ask several minds take `minds`.

| verb | what it does | Python | command | MCP tool | REST | scope |
|---|---|---|---|---|---|---|
"""


def page() -> str:
    """The whole page as Markdown."""
    rows = "\n".join(_row(verb) for verb in VERBS)
    why = sorted({cell.why for verb in VERBS for cell in (verb.cli, verb.tool, verb.rest) if isinstance(cell, Empty)})
    arguments = "\n".join(_arguments(verb) for verb in VERBS if verb.takes)
    reasons = "\n".join(f"- {reason}" for reason in why)
    last = f"Why a cell is empty:\n\n{reasons}\n\n## Arguments\n\nThose in bold cannot be left out.\n\n{arguments}\n"
    return f"{HEAD}{rows}\n\n{last}"


def _row(verb: Verb) -> str:
    cells = [_cell(cell) for cell in (verb.cli, verb.tool, verb.rest)]
    return f"| {verb.name} | {verb.help} | `{verb.python}` | {' | '.join(cells)} | {verb.scope} |"


def _cell(cell: str | Empty) -> str:
    return "–" if isinstance(cell, Empty) else f"`{cell}`"


def _arguments(verb: Verb) -> str:
    names = [f"**{name}**" if name in verb.needs else name for name in verb.takes]
    return f"- `{verb.name}`: {', '.join(names)}"


if __name__ == "__main__":
    print(page(), end="")  # noqa: T201  (a page for standard output)
