"""The exceptions: malformed arguments, unknown ids, broken invariants and failed resources.

Expected outcomes (a duplicate, a refusal) are values in `noosphere.model.outcome`, never exceptions.
Every message ends with what to do about it, and every class carries the data it speaks of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

SHOWN_CHARACTERS = 200  # an error quotes at most this much of what it was given: a long path, not a memory


class NoosphereError(Exception):
    """Root of every error this package raises on purpose.

    Attributes:
        remedy: what to do about it: the end of the message.
    """

    remedy = ""


class InvalidInput(NoosphereError, ValueError):
    """An argument has the wrong form; nothing was read or written."""

    def __init__(self, field: str, problem: str, remedy: str) -> None:
        super().__init__(f"{field}: {problem}. {remedy}")
        self.field = field
        self.problem = problem
        self.remedy = remedy

    @classmethod
    def choice(cls, field: str, value: object, allowed: Iterable[str], otherwise: str = "") -> InvalidInput:
        """The error for a word outside a set, with the nearest words of the set, and what can be done otherwise."""
        from difflib import get_close_matches  # noqa: PLC0415  (only for who mistyped: 5 ms of every start)

        words = list(allowed)
        near = get_close_matches(str(value), words, n=2)
        hint = f"Did you mean {' or '.join(near)}? " if near else ""
        other = f"; {otherwise}" if otherwise else ""
        return cls(field, f"{shown(value)} is not one of its values", f"{hint}Use one of: {', '.join(words)}{other}")


class NotFound(NoosphereError, LookupError):
    """No node, frame, edge, session, journal entry or mind has this id."""

    def __init__(self, what: str, key: str, remedy: str) -> None:
        super().__init__(f"no {what} {shown(key)} here. {remedy}")
        self.what = what
        self.key = key
        self.remedy = remedy


class StorageError(NoosphereError):
    """A file could not be opened, read or written; the mind is as it was before the call."""

    def __init__(self, path: str, problem: str, remedy: str) -> None:
        super().__init__(f"{cut(path)}: {problem}. {remedy}")
        self.path = path
        self.problem = problem
        self.remedy = remedy


class NotAMind(StorageError):
    """The file exists but is not a mind."""


class NotAnExport(StorageError):
    """A file that was given to be taken in is no whole export of a mind."""


class NewerMind(StorageError):
    """The file was written by a newer version of noosphere."""

    def __init__(self, path: str, found: int, known: int) -> None:
        super().__init__(
            path,
            f"has schema {found}, this version knows up to {known}",
            "Upgrade noosphere to open it; it was not touched",
        )
        self.found = found
        self.known = known


class OlderMind(StorageError):
    """The file was written by an earlier state of this version, before it was released."""

    def __init__(self, path: str, names: tuple[str, ...], *, writable: bool = True) -> None:
        columns = "Make a mind of today's layout of it: noosphere salvage OLD.db NEW.db; it is only read"
        super().__init__(
            path,
            f"has another layout than this version: {', '.join(names)}",
            columns if writable else "Open it once where it may be written; what is missing is made then",
        )
        self.names = names


class DamagedMind(StorageError):
    """The file is a mind, but SQLite finds it damaged."""


class WrongKey(StorageError):
    """The file is encrypted and does not open with the key given, or with none; or it is not encrypted."""


class MindBusy(StorageError):
    """Another process held the mind for longer than the busy timeout."""


class ReadOnlyMind(StorageError):
    """A write was asked of a mind that can only be read."""


class ClosedMind(NoosphereError):
    """A verb was called on a mind after `close()`."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path}: this mind was closed. Call open_mind again to go on")
        self.path = path


class BrokenInvariant(NoosphereError):
    """The mind contradicts its own rules; `doctor` names what and mends what is derived."""

    def __init__(self, what: str, remedy: str = "Run `noosphere doctor --fix`; truth is never changed by it") -> None:
        super().__init__(f"{what}. {remedy}")
        self.what = what
        self.remedy = remedy


class ModelUnavailable(NoosphereError):
    """A model was asked for by name, and its runtime or its files are missing or damaged."""

    def __init__(self, model: str, problem: str, remedy: str) -> None:
        super().__init__(f"model {model}: {problem}. {remedy}")
        self.model = model
        self.problem = problem
        self.remedy = remedy


class ModelDown(ModelUnavailable):
    """A model cannot work now, whatever the text: no answer, a wrong key, another dimension. Texts stay pending."""


class EmbeddingQuotaExceeded(ModelDown):
    """This month's quota of texts for hosted models is used up; it begins anew with the month in UTC."""

    def __init__(self, model: str, user: str, month: str, limit: int) -> None:
        super().__init__(
            model,
            f"{user} has used the quota of {limit} texts for {month}",
            "Raise the setting embedding_quota, or wait for the next month; the texts stay pending",
        )
        self.user = user
        self.month = month
        self.limit = limit


def shown(value: object) -> str:
    """Quote a value for a message, cut short and with control characters escaped."""
    text = cut(value if isinstance(value, str) else repr(value))
    return ascii(text) if any(not c.isprintable() for c in text) else f"'{text}'"


def cut(text: str) -> str:
    """The beginning of a text, as much as a message may quote of it."""
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…"
