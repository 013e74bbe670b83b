"""Fitting an answer to a budget: of characters, or of tokens as the encoder's own tokenizer counts them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from noosphere.errors import InvalidInput
from noosphere.model.argument import read_count
from noosphere.model.trace import Counted
from noosphere.recall.render import MAX_BUDGET, MIN_BUDGET, render

if TYPE_CHECKING:
    from noosphere.model.trace import Step
    from noosphere.providers.embed.wordpiece import WordPieces
    from noosphere.recall.render import Answer, Rendered

PER_TOKEN = 4  # characters, of English prose: the first guess
ROUNDS = 6
FULL = 0.9  # of the tokens wanted: near enough to stop
MARGIN = 0.97  # of the room that the last count asks for


def fit(answer: Answer, *, budget: int, tokens: int | None, steps: list[Step]) -> Rendered:
    """Render an answer inside so many characters, and so many tokens when they are given.

    Raises:
        InvalidInput: there is no room even for one short hit.
        ModelUnavailable: tokens are to be counted and the tokenizer cannot be read.
    """
    if tokens is None:
        return render(answer, budget=budget)
    wanted = read_count(tokens, "tokens", 1, MAX_BUDGET)
    rendered, count = _fill(answer, budget, wanted)
    if rendered is None:
        raise InvalidInput("tokens", f"{wanted} have no room for one short hit", f"Pass at least {count}")
    steps.append(Counted(wanted, count))
    return rendered


def count_tokens(text: str) -> int:
    """How many tokens the vendored encoder's tokenizer makes of a text."""
    return _tokenizer().count(text)


def _fill(answer: Answer, budget: int, wanted: int) -> tuple[Rendered | None, int]:
    """The fullest answer found, and its tokens; None when the least is too long, and the tokens of that."""
    room, tried = _clip(wanted * PER_TOKEN, budget), set[int]()
    best: tuple[Rendered | None, int] = (None, 0)
    for _ in range(ROUNDS):
        rendered = render(answer, budget=room)
        count = count_tokens(rendered.text)
        tried.add(room)
        if count <= wanted and count >= best[1]:
            best = (rendered, count)
            if room == budget or count >= FULL * wanted or not (rendered.fitted.shortened or rendered.fitted.left_out):
                break
        room = _clip(int(room * MARGIN * wanted / count), budget)
        if room in tried:
            break
    if best[0] is not None:
        return best
    least = render(answer, budget=_clip(MIN_BUDGET, budget))
    count = count_tokens(least.text)
    return (least, count) if count <= wanted else (None, count)


def _clip(room: int, budget: int) -> int:
    """A room that is neither below the least nor above the budget; a wrong budget is refused by the rendering."""
    return min(max(room, MIN_BUDGET), budget)


@cache
def _tokenizer() -> WordPieces:
    from noosphere.providers.embed.files import ENCODER, folder  # noqa: PLC0415  (reads a file of its own)
    from noosphere.providers.embed.wordpiece import WordPieces  # noqa: PLC0415

    return WordPieces(ENCODER, folder())
