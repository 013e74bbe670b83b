"""Every argument of every verb by its name: the same name means the same thing behind every door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.minds.context import LEAST
from noosphere.model.awareness import Category
from noosphere.model.edge import EdgeType
from noosphere.model.query import LANES
from noosphere.model.vocabulary import (
    ROLES,
    Claim,
    Importance,
    Kind,
    NodeClass,
    Provenance,
    Source,
    Status,
    Volatility,
)
from noosphere.recall.relevance import PROFILES
from noosphere.serve.verbs.cells import flag, text, texts
from noosphere.serve.verbs.field import Field
from noosphere.write.mastery import RATINGS

if TYPE_CHECKING:
    from enum import StrEnum

MAX_LISTED = 10_000


def _word(kind: type[StrEnum], help: str) -> Field:
    return Field(kind="word", help=help, words=tuple(word.value for word in kind))


def _words(kind: type[StrEnum], help: str) -> Field:
    return Field(kind="words", help=help, words=tuple(word.value for word in kind))


def _whole(help: str, least: int, most: int) -> Field:
    return Field(kind="whole", help=help, least=least, most=most)


ID = text("Its id, as a hit, get or the journal shows it.")
TEXT = text("The text, kept word for word.")
LIMIT = _whole("How many, at most.", 1, MAX_LISTED)
KEY = text("The session's own stable name.")

DESCRIPTION: dict[str, Field] = {
    "tags": texts("Tags."),
    "role": text(f"What part it plays: {', '.join(ROLES)}, or a name of your own."),
    "kind": _word(Kind, "Something that happened (episodic), or something that is so (semantic)."),
    "importance": _word(Importance, "How much it matters."),
    "status": _word(Status, "Where it is in its life."),
    "volatility": _word(Volatility, "How quickly it goes stale."),
    "source": _word(Source, "Who vouches for it."),
    "claim": _word(Claim, "How sure the statement is."),
    "confidence": Field(kind="share", help="How sure, as a number from 0 to 1."),
    "title": text("A short title."),
    "metadata": Field(kind="object", help="A JSON object that is kept with it, never searched."),
    "trace_id": text("The run or request it came from."),
    "subject": text("Who or what it is about."),
    "slot": text("The fact it fills, as subject.attribute, such as user.home_city; a newer value ends the older."),
    "value": text("The slot's value, when it is not the whole text."),
    "functional": flag("Whether the slot holds one value at a time."),
    "occurred": text("When it happened: a date, month, quarter, year, or a moment with a zone."),
    "valid_from": text("Since when it is true."),
    "valid_to": text("Until when it is true."),
}
CHANGES: dict[str, Field] = {
    "add_tags": texts("Tags to add."),
    "remove_tags": texts("Tags to take away."),
    **DESCRIPTION,
}
DRAFT: dict[str, Field] = {
    **DESCRIPTION,
    "speaker": text("Who said it, when it was not the user."),
    "evidence": texts("Reasons to believe it: frame ids, URIs or source ids."),
    "said_at": text("When it was said."),
    "session": text("The key of the session it belongs to."),
}
TEXTS: dict[str, Field] = {name: DRAFT[name] for name in ("said_at", "session")}
ABOUT: dict[str, Field] = {
    "participants": texts("Who takes part."),
    **{name: DRAFT[name] for name in ("title", "source", "session", "tags", "metadata")},
    "project": text("The project of its session."),
}
EDGE: dict[str, Field] = {
    "weight": Field(kind="share", help="How strong it is, from 0 to 1; 1 when left out."),
    "provenance": _word(Provenance, "Who drew it."),
    **{name: DRAFT[name] for name in ("claim", "evidence", "valid_from", "valid_to")},
}
ENTITY: dict[str, Field] = {
    "properties": Field(kind="object", help="A JSON object of what is known of it; merged over the old."),
    **{name: DRAFT[name] for name in ("tags", "source", "evidence")},
}
VIEW: dict[str, Field] = {
    "now": text("The reader's present, when it is not the clock's."),
    "as_of": text("What is believed now to have been true then."),
    "known_at": text("What was believed then."),
    "include_past": flag("Also what is no longer true, with its dates."),
    "lanes": Field(kind="words", help="The sources of candidates to ask; all when left out.", words=LANES),
    "profile": Field(kind="word", help="What counts beside the match; balanced when left out.", words=tuple(PROFILES)),
    "unsure": flag("Also matches none of which is sure enough."),
    "sure": flag("The sure matches alone, when there are any."),
}
PAST: dict[str, Field] = {name: VIEW[name] for name in ("as_of", "known_at", "include_past")}
FILTERS: dict[str, Field] = {
    "tags": texts("Tags it must have, all of them."),
    "kinds": _words(Kind, "Only these kinds."),
    "statuses": _words(Status, "Only these statuses."),
    "volatilities": _words(Volatility, "Only these volatilities."),
    "classes": _words(NodeClass, "Only these classes of nodes."),
    "roles": texts("Only these roles."),
    "importances": _words(Importance, "Only these importances."),
    "sources": _words(Source, "Only from these sources."),
    "claims": _words(Claim, "Only with these claims."),
    "speakers": texts("Only turns of these speakers."),
    "participants": texts("Only conversations with these participants."),
    "conversation": text("Only this conversation, by key or id."),
    "session": text("Only this session, by key or id."),
    "subject": text("Only what is about this subject."),
    "since": text("Only what happened then or later."),
    "until": text("Only what happened before then was over."),
}
QUESTION: dict[str, Field] = {
    "query": text("Any text; nothing in it is syntax."),
    "k": _whole("How many hits, at most.", 1, 1000),
    "minds": texts('Which minds to ask, by slug, or "all"; the active and the personal one when left out.'),
    **VIEW,
    **FILTERS,
}
BUDGET = _whole("How many characters the block may have.", LEAST, 1_000_000)
RECALL: dict[str, Field] = {**QUESTION, "budget": BUDGET}
TOKENS = _whole("How many tokens the block may have besides, as the default encoder counts them.", 1, 1_000_000)
IDENTITY: dict[str, Field] = {
    "name": text("The agent's name."),
    "role": text("What it is for."),
    "department": text("Where it belongs."),
    "personality": text("How it speaks and behaves."),
    "capabilities": text("What it can do."),
    "system_prompt": text("Standing instructions for it."),
}
ITEM: dict[str, Field] = {
    "category": _word(Category, "What it is."),
    "priority": _whole("How important it is, 10 the most.", 0, 10),
    "expires": text("When it stops being shown by itself."),
    "metadata": DRAFT["metadata"],
}
EDGE_TYPE = _word(EdgeType, "The edge's type.")
RATING = Field(kind="word", help="How well it went, in place of correct.", words=RATINGS)
SLUG = text("The workspace's name: a-z, 0-9 and hyphens.")
WAIT = flag("Embed it before answering, so that it is found by meaning at once.")
