"""A text in lower case, its words and the pieces they hold: what every kind of rule looks at first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from noosphere.model.pieces import PIECES, SEPARATORS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WORD = re.compile(r"[^\W_]+")
# Letters beyond ASCII that a pattern which ignores case takes for ASCII ones, and `lower` does not turn into them.
UNLIKE_LOWER = re.compile("[İıſ]")
SHARED = 256  # texts whose words are remembered: sets of rules look at a text, or at all of a talk, one after another
SHORT = 4000  # characters of a text worth remembering


class Worded:
    """A text as rules look at it first.

    Attributes:
        lower: in lower case.
        words: its words, each once.
        plain: whether a pattern's words are these words, and nothing else: it is ASCII and has no underscore.
        unlike: whether it has letters that patterns read otherwise than its lower case shows: any rule may meet it.
        opened: what was told of it before, by the set of patterns that asked.
    """

    __slots__ = ("_count", "_held", "lower", "opened", "plain", "unlike", "words")

    def __init__(self, text: str) -> None:
        """Read the words of a text."""
        self.lower = text.lower()
        self.words = words_of(self.lower)
        ascii_ = text.isascii()
        self.plain = ascii_ and "_" not in text
        self.unlike = not ascii_ and UNLIKE_LOWER.search(text) is not None
        self.opened: dict[object, Sequence[int]] = {}
        self._held, self._count = 0, 0

    @property
    def held(self) -> int:
        """The bits of the pieces that its words hold."""
        count = PIECES.count
        if self._count != count:
            self._held, self._count = PIECES.held(self.words), count
        return self._held


def words_of(lower: str) -> frozenset[str]:
    """The words of a text in lower case: runs of letters and digits."""
    return frozenset(lower.translate(SEPARATORS).split() if lower.isascii() else WORD.findall(lower))


class _Remembered(dict[str, Worded]):
    """Texts that were read lately: those looked for last, and beside them those looked for before."""

    __slots__ = ("_before",)

    def __init__(self) -> None:
        super().__init__()
        self._before: dict[str, Worded] = {}

    def __missing__(self, text: str) -> Worded:
        told = self._before.pop(text, None) or Worded(text)
        if len(text) <= SHORT:
            if len(self) >= SHARED // 2:
                self._before = dict(self)
                self.clear()
            self[text] = told
        return told


# A text as rules look at it. It is asked for some forty times a text: a look-up without a step of Python.
worded: Callable[[str], Worded] = _Remembered().__getitem__
