"""What a system under test is: something that is filled with a case and ranks its turns for a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from evals.datasets.case import Case, Question


class Asker(Protocol):
    """A system filled with a case."""

    def rank(self, question: Question, k: int) -> list[str]:
        """The ids of the k best turns, best first."""
        ...


class System(Protocol):
    """A way of finding turns."""

    name: str

    def fill(self, case: Case, folder: Path) -> AbstractContextManager[Asker]:
        """Take in a case; the folder is scratch."""
        ...
