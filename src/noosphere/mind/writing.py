"""The verbs that put something into a mind: remember, record, cognify, revise, append, branch."""

from __future__ import annotations

from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from noosphere.mind.opened import Opened
from noosphere.model.argument import read_many, read_options

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date, datetime

    from noosphere.model.draft import Draft, Turn
    from noosphere.model.exchange import Cognified, Exchange
    from noosphere.model.outcome import Appended, Branched, Recorded, Refused, Remembered, Revised
    from noosphere.providers.llm.port import LLM
    from noosphere.write.llms import Named

    Time = datetime | date | str


class Writing(Opened):
    """What is said is written down, verbatim."""

    def remember(self, text: str, *, wait: bool = False, **about: Any) -> Remembered:
        """Store a memory, verbatim, once.

        Args:
            text: what to remember.
            wait: embed it before returning, so that it is found by meaning at once.
            about: any other field of `Draft`: role, kind, importance, status, volatility, source, claim,
                confidence, evidence, tags, title, metadata, trace_id, session, said_at, occurred, valid_from,
                valid_to, subject, slot, value, functional.

        Returns:
            Stored, Superseded (it ended an older value of its slot), Duplicate (evidence was added), or Refused.

        Raises:
            InvalidInput: an argument has the wrong form; nothing was written.
        """
        return self.remember_many([_draft(text, about)], wait=wait)[0]

    def remember_many(self, drafts: Iterable[Draft | str], *, wait: bool = False) -> list[Remembered]:
        """Store many memories in few transactions; all drafts are checked before any is written.

        Raises:
            InvalidInput: a draft has the wrong form; nothing was written.
        """
        from noosphere.model.draft import Draft
        from noosphere.write import remember

        given = [d if isinstance(d, Draft) else Draft(text=d) for d in read_many(drafts, "drafts")]
        outcomes = remember.remember(self._file, given)
        self._written(wait=wait)
        if not wait:
            return outcomes
        from noosphere.write import duplicates

        return duplicates.as_found(self._file, outcomes)

    def record(
        self,
        conversation: str,
        turns: Iterable[Turn],
        *,
        head: str | None = None,
        wait: bool = False,
        **about: Any,
    ) -> Recorded | Refused:
        """Add turns to a conversation; recording a turn again adds nothing.

        Args:
            conversation: the conversation's own stable key, or its node id.
            turns: in order; see `Turn`.
            head: the key of the turn the conversation now ends with, when that is on another branch.
            wait: embed the turns before returning.
            about: participants, title, source, project, session, tags, metadata of a new conversation.

        Raises:
            InvalidInput: an argument has the wrong form; nothing was written.
            NotFound: a parent or the head is not in the conversation.
        """
        from noosphere.write import record

        described = record.read_about(**read_options(about, record.ABOUT, "record"))
        outcome = record.record(self._file, conversation, read_many(turns, "turns"), described, head=head)
        self._written(wait=wait)
        return outcome

    def cognify(
        self,
        exchange: Exchange | Mapping[str, Any],
        *,
        personal: Opened | None = None,
        llm: LLM | None = None,
        fast: LLM | None = None,
    ) -> Cognified | Refused:
        """Record an exchange that succeeded, and remember what was said in it that is worth it, sentence by sentence.

        Args:
            exchange: an `Exchange`, or a mapping with its fields: user, assistant, tools, user_name, assistant_name,
                said_at, conversation, session, key.
            personal: the mind that remembers what is about the user, when this one is a workspace's; this one else.
            llm: a model that may point at what the rules left, in place of the one that the settings name; what it
                does not answer is told in `left`.
            fast: a quick one that says before which sentences it is to read; the one that the settings name, when
                `llm` is left out too.

        Raises:
            InvalidInput: a field is unknown or has the wrong form, or nobody says anything; nothing was written.
        """
        from noosphere.write.cognify import learn

        quick = self._named_fast if llm is None and fast is None else fast
        holder = None if personal is None else personal.reader.mind
        outcome = learn(self._file, exchange, holder, llm or self._named_llm, quick)
        self._written()
        if personal is not None:
            personal._written()  # noqa: SLF001  (another mind of the same kind)
        return outcome

    def close(self) -> None:
        """Close the file, and the connections of the models that the settings name."""
        super().close()
        for name in ("_named_llm", "_named_fast"):
            named: Named | None = self.__dict__.get(name)
            if named is not None:
                named.close()

    @cached_property
    def _named_llm(self) -> Named | None:
        """The model that the settings name: made once, so that one that is down rests between turns."""
        from noosphere.write.llms import make_llm

        return make_llm(self.settings)

    @cached_property
    def _named_fast(self) -> Named | None:
        """The quick model that the settings name."""
        from noosphere.write.llms import make_llm

        return make_llm(self.settings, fast=True)

    def revise(
        self,
        id: str,
        text: str,
        *,
        said_at: Time | None = None,
        session: str | None = None,
        **about: Any,
    ) -> Revised | Refused:
        """Replace what a memory says; the old text stays in its history.

        What is said `about` it, by the names that `classify` takes, changes with it and is undone with it. `value` is
        the new value of its slot, when it fills one; without it the new text itself is the value.

        Raises:
            InvalidInput: an unknown field or value.
            NotFound: nothing here has this id.
        """
        from noosphere.write import revise

        outcome = revise.revise(self._file, id, text, about, said_at=said_at, session=session)
        self._written()
        return outcome

    def append(
        self, id: str, text: str, *, said_at: Time | None = None, session: str | None = None, **about: Any
    ) -> Appended | Refused:
        """Add to what a memory says; what is said `about` it changes with it, as in `revise`.

        Raises:
            InvalidInput: an unknown field or value.
            NotFound: nothing here has this id.
        """
        from noosphere.write import revise

        outcome = revise.append(self._file, id, text, about, said_at=said_at, session=session)
        self._written()
        return outcome

    def branch(
        self,
        id: str,
        text: str,
        *,
        refs: Sequence[str] = (),
        description: str | None = None,
        session: str | None = None,
    ) -> Branched | Refused:
        """Set an alternative beside a memory or a turn, without replacing it.

        Raises:
            NotFound: nothing here has this id.
        """
        from noosphere.write import revise

        outcome = revise.branch(self._file, id, text, refs=refs, description=description, session=session)
        self._written()
        return outcome


def _draft(text: str, about: dict[str, Any]) -> Draft:
    from noosphere.model.draft import Draft

    if not about:
        return Draft(text=text)
    known = sorted({f.name for f in fields(Draft)} - {"text"})
    return Draft(text=text, **read_options(about, known, "remember"))
