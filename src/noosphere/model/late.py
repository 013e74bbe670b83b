"""Late: a pattern that is compiled when it is first tried; of the many that rules have, one process tries few."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Late:
    """A pattern that ignores case."""

    source: str

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern, compiled."""
        return re.compile(self.source, re.IGNORECASE)
