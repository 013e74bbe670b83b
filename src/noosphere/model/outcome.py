"""What a writing verb answers. Expected outcomes are values; match them and let the checker see them all."""

from __future__ import annotations

from enum import StrEnum

from noosphere.records import dataclass


class Reason(StrEnum):
    """Why something was refused."""

    EMPTY = "empty"
    TOO_LARGE = "too_large"
    GATE = "gate"
    FORGOTTEN = "forgotten"
    SESSION_CLOSED = "session_closed"
    BLOCKED = "blocked"
    NOT_A_MEMORY = "not_a_memory"
    UNCHANGED = "unchanged"
    TAKEN = "taken"
    NOTHING_TO_UNDO = "nothing_to_undo"
    FULL = "full"
    SECRET = "secret"  # noqa: S105  (a word, not a password)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Nothing was written, and why.

    Attributes:
        blocked_by: journal ids that rest on what was to be undone, newest first.
    """

    reason: Reason
    message: str
    blocked_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A new memory.

    Attributes:
        id: the node.
        repairs: what had to be mended in the text, in words.
        drawn: fact nodes drawn from single sentences of the text.
        held_by: stronger memories of its slot, because of which its value never holds; review them.
        corrected: memories that it said were wrong, now retired.
    """

    id: str
    frame: str
    journal: str
    session: str
    repairs: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    held_by: tuple[str, ...] = ()
    corrected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseded:
    """A new memory that ended the older values in `old`."""

    id: str
    frame: str
    journal: str
    session: str
    old: tuple[str, ...]
    repairs: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    corrected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """Already known: evidence was added to `id`, tags were united, the fields in `ignored` were not used.

    Attributes:
        wrong: whether it was found wrong before; saying it again does not revive it, correcting the correction does.
    """

    id: str
    frame: str
    journal: str
    evidence_count: int
    ignored: tuple[str, ...] = ()
    wrong: bool = False


Remembered = Stored | Superseded | Duplicate | Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """Turns of a conversation.

    Attributes:
        conversation: the conversation's node.
        added: frames of new turns, in the order given.
        known: how many turns were there already.
        changed: frames stored as alternatives because a known key came with other text.
        refused: (turn key, why) of turns that could not be stored.
        journal: the entry to undo; a large call has several, all in `journals`, and the last here.
    """

    conversation: str
    added: tuple[str, ...]
    known: int
    changed: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]
    journal: str | None
    journals: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Revised:
    """A memory's text was replaced; `old` are values of its slot that this ended."""

    id: str
    frame: str
    journal: str
    old: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """A text that was withheld is shown from now on."""

    id: str
    journal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A conflict was settled; `undo(journal)` opens it again.

    Attributes:
        id: the side, or the correction, that it was settled by.
        kept: the sides that stand.
        ended: the sides that held until the one kept began.
        retired: the sides that were wrong: out of their slot's timeline, kept in history.
    """

    id: str
    journal: str
    kept: tuple[str, ...]
    ended: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """A patch was added to a memory."""

    id: str
    frame: str
    journal: str
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Branched:
    """An alternative was set beside a memory or a turn."""

    id: str
    frame: str
    journal: str
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Classified:
    """A node's description was changed; `changed` names the fields."""

    id: str
    journal: str
    changed: tuple[str, ...]
    old: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Several became one: a new memory, whose parts are archived, or an entity to which the others' ids now lead.

    Attributes:
        id: the memory or entity that stays.
        merged: the ids that gave way.
    """

    id: str
    journal: str
    merged: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """Out of the current reads, kept in history; `undo(journal)` brings it back."""

    id: str
    journal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Memories that still hold, as somebody says; what they say was not touched."""

    ids: tuple[str, ...]
    journal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """Out of every read except by id; `undo(journal)` brings it back."""

    ids: tuple[str, ...]
    journal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """Erased for good, and proven by a search of the files' bytes.

    Attributes:
        ids: what was erased: a memory, or a turn or branch with its other texts, and what was drawn from it if asked.
        journal: the entry that did it, which no undo takes back; None when only the rest of the work was left.
        pieces: how many pieces of the texts and vectors were searched for and found nowhere.
        searched: the files of the mind that were searched.
        shared: what else says some of the same words, and still does.
        elsewhere: columns other than texts in which some of the words stand, as table.column.
        drawn: memories that were drawn from it or rest on it, and stay.
        backups: other files that still hold it.
    """

    ids: tuple[str, ...]
    journal: str | None
    pieces: int
    searched: tuple[str, ...]
    shared: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    backups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgePending:
    """Gone from every read for good, but files still hold it: somebody reads an older state. Purge it again later."""

    ids: tuple[str, ...]
    journal: str | None
    holders: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """An edge stands; `existing` when it stood before and kept the larger weight."""

    edge: str
    journal: str
    existing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlinked:
    """An edge was retired."""

    edge: str
    journal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """Journal entries taken back, newest first; `journal` is the entry that did it."""

    undone: tuple[str, ...]
    journal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityStored:
    """An entity, new or seen again."""

    id: str
    journal: str
    created: bool
    seen_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OntologyChanged:
    """A type or a relation was added, or something else is said of it; `undo(journal)` takes that back."""

    name: str
    journal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadMoved:
    """A conversation's head was moved to another leaf."""

    conversation: str
    head: str
    journal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionChanged:
    """A session was closed or archived."""

    session: str
    status: str
    journal: str
