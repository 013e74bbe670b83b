"""Late: a pattern that is compiled when it is first tried; of the many that rules have, one process tries few."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

UPPER = re.compile(r"\\.|[A-Z]", re.DOTALL)  # what is escaped stays as it is
# Characters by their numbers, parts with flags of their own, and letters beyond ASCII that are taken for ASCII ones.
ODD = re.compile(r"\\[xuUN0-7]|\(\?[a-zA-Z-]+[:)]|[İıſ\u212a]")


@dataclass(frozen=True)
class Late:
    """A pattern that ignores case."""

    source: str

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern, compiled."""
        return re.compile(self.source, re.IGNORECASE)

    def is_in(self, text: str, lower: str | None) -> bool:
        """Whether it matches somewhere in a text.

        Args:
            text: the text.
            lower: an ASCII text in lower case, in which case need not be ignored: that costs more than half the time.
        """
        if lower is None or self._lower is None:
            return self.compiled.search(text) is not None
        return self._lower.search(lower) is not None

    @cached_property
    def _lower(self) -> re.Pattern[str] | None:
        """What matches in an ASCII text in lower case where this does in the text, if it can be told."""
        if ODD.search(self.source) is not None:
            return None
        with suppress(re.error):
            return re.compile(UPPER.sub(lambda m: m[0] if m[0][0] == "\\" else m[0].lower(), self.source))
        return None
