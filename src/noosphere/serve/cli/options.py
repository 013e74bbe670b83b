"""The options that commands share, and the tables of options that a draft, a change and a filter take.

Typer reads annotations at run time, so this module and those of the commands do without postponed ones.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any

import typer

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

SLUG = "SLUG"  # the metavar of an argument that names a mind


def _among(words: list[str]) -> Callable[[str], list[str]]:
    """What the shell offers when a word of a closed set is being typed."""

    def complete(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return complete


def text_option(flag: str, metavar: str, help: str) -> Any:
    """An option that takes a text."""
    return Annotated[str | None, typer.Option(flag, metavar=metavar, help=help)]


def _texts(flag: str, metavar: str, help: str) -> Any:
    return Annotated[list[str] | None, typer.Option(flag, metavar=metavar, help=f"{help} Repeat it for more.")]


def _word(flag: str, kind: type[StrEnum], help: str) -> Any:
    words = [word.value for word in kind]
    said = f"{help} One of: {', '.join(words)}."
    return Annotated[str | None, typer.Option(flag, metavar="WORD", help=said, autocompletion=_among(words))]


def _words(flag: str, kind: type[StrEnum], help: str) -> Any:
    words = [word.value for word in kind]
    said = f"{help} Of: {', '.join(words)}. Repeat it for more."
    return Annotated[list[str] | None, typer.Option(flag, metavar="WORD", help=said, autocompletion=_among(words))]


def _share(flag: str, help: str) -> Any:
    return Annotated[float | None, typer.Option(flag, metavar="0..1", help=help)]


Home = Annotated[
    str | None,
    typer.Option("--home", metavar="PATH", help="The folder of minds (else NOOSPHERE_HOME, else ~/.noosphere)."),
]
MindName = Annotated[
    str | None,
    typer.Option("--mind", metavar="NAME|PATH", help="Which mind: personal, another of the home, or a file's path."),
]
Actor = Annotated[str | None, typer.Option("--actor", metavar="NAME", help="Who does this, as the journal names them.")]
Json = Annotated[bool, typer.Option("--json", help="Write one JSON document to standard output.")]
EVERYWHERE: dict[str, Any] = {"home": Home, "mind": MindName, "actor": Actor, "json": Json}

_ROLE = Annotated[
    str | None,
    typer.Option(
        "--role",
        metavar="NAME",
        help=f"What part it plays: {', '.join(ROLES)}, or a name of your own.",
        autocompletion=_among(list(ROLES)),
    ),
]
_TAGS = _texts("--tag", "TAG", "A tag.")
_EVIDENCE = _texts(
    "--evidence", "WHAT", 'A reason to believe it: a frame id, a URI, a source id, or JSON {"mind": …, "frame": …}.'
)
_METADATA = text_option("--metadata", "JSON", "A JSON object that is kept with it, never indexed.")
_VALIDITY: dict[str, Any] = {
    "valid_from": text_option("--valid-from", "TIME", "Since when it is true: a date, month, quarter, year or moment."),
    "valid_to": text_option("--valid-to", "TIME", "Until when it is true."),
}
_DESCRIPTION: dict[str, Any] = {
    "role": _ROLE,
    "kind": _word("--kind", Kind, "Something that happened, or something that is so."),
    "importance": _word("--importance", Importance, "How much it matters."),
    "status": _word("--status", Status, "Where it is in its life."),
    "volatility": _word("--volatility", Volatility, "How quickly it goes stale."),
    "source": _word("--source", Source, "Who vouches for it."),
    "claim": _word("--claim", Claim, "How sure the statement is."),
    "confidence": _share("--confidence", "How sure, as a number."),
    "title": text_option("--title", "TEXT", "A short title."),
    "metadata": _METADATA,
    "trace_id": text_option("--trace-id", "ID", "The run or request it came from."),
    "subject": text_option("--subject", "NAME", "Who or what it is about."),
    "slot": text_option(
        "--slot", "SUBJECT.ATTRIBUTE", "The fact it fills, such as user.home_city; a newer value ends it."
    ),
    "value": text_option("--value", "TEXT", "The slot's value, when it is not the whole text."),
    "functional": Annotated[
        bool | None, typer.Option("--functional/--set-valued", help="Whether the slot holds one value at a time.")
    ],
    "occurred": text_option("--occurred", "TIME", "When it happened."),
    **_VALIDITY,
}

DRAFT: dict[str, Any] = {
    "speaker": text_option("--speaker", "NAME", "Who said it, when it was not the user."),
    "tags": _TAGS,
    **_DESCRIPTION,
    "evidence": _EVIDENCE,
    "said_at": text_option("--said-at", "TIME", "When it was said."),
    "session": text_option("--session", "KEY", "The session it belongs to."),
}
CHANGES: dict[str, Any] = {
    "add_tags": _texts("--add-tag", "TAG", "A tag to add."),
    "remove_tags": _texts("--remove-tag", "TAG", "A tag to take away."),
    "tags": _texts("--tag", "TAG", "A tag it has from now on, and no others."),
    **_DESCRIPTION,
}
TEXTS: dict[str, Any] = {
    "said_at": text_option("--said-at", "TIME", "When it was said."),
    "session": text_option("--session", "KEY", "The session it belongs to."),
}
REVISION: dict[str, Any] = {**TEXTS, **CHANGES}
ABOUT: dict[str, Any] = {
    "participants": _texts("--participant", "NAME", "Who takes part."),
    "title": text_option("--title", "TEXT", "The conversation's title."),
    "source": _word("--source", Source, "Who vouches for it."),
    "project": text_option("--project", "NAME", "The project of its session."),
    "session": text_option("--session", "KEY", "The session of turns that name none."),
    "tags": _TAGS,
    "metadata": _METADATA,
}
EDGE: dict[str, Any] = {
    "weight": _share("--weight", "How strong it is; 1 when left out."),
    "provenance": _word("--provenance", Provenance, "Who drew it."),
    "claim": _word("--claim", Claim, "How sure it is."),
    "evidence": _EVIDENCE,
    **_VALIDITY,
}
ENTITY: dict[str, Any] = {
    "properties": text_option("--properties", "JSON", "A JSON object of what is known of it; merged over the old."),
    "tags": _TAGS,
    "source": _word("--source", Source, "Who vouches for it."),
    "evidence": _EVIDENCE,
}
VIEW: dict[str, Any] = {
    "now": text_option("--now", "TIME", "The reader's present, when it is not the clock's."),
    "as_of": text_option("--as-of", "TIME", "What is believed now to have been true then."),
    "known_at": text_option("--known-at", "TIME", "What was believed then."),
    "include_past": Annotated[
        bool | None, typer.Option("--include-past", help="Also what is no longer true, with its dates.")
    ],
    "lanes": _texts("--lane", "NAME", "A source of candidates to ask, keyword or semantic; all when left out."),
    "rerank": text_option("--rerank", "HOW", "fast, or deep for late interaction with the best candidates."),
    "profile": text_option(
        "--profile", "NAME", "What counts beside the match: balanced, recent, important, connected."
    ),
    "unsure": Annotated[bool | None, typer.Option("--unsure", help="Also matches none of which is sure enough.")],
    "sure": Annotated[bool | None, typer.Option("--sure", help="The sure matches alone, when there are any.")],
}
FILTERS: dict[str, Any] = {
    "tags": _texts("--tag", "TAG", "A tag it must have."),
    "kinds": _words("--kind", Kind, "Only these kinds."),
    "statuses": _words("--status", Status, "Only these statuses."),
    "volatilities": _words("--volatility", Volatility, "Only these volatilities."),
    "classes": _words("--class", NodeClass, "Only these classes of nodes."),
    "roles": _texts("--role", "NAME", "Only these roles."),
    "importances": _words("--importance", Importance, "Only these importances."),
    "sources": _words("--source", Source, "Only from these sources."),
    "claims": _words("--claim", Claim, "Only with these claims."),
    "speakers": _texts("--speaker", "NAME", "Only turns of this speaker."),
    "participants": _texts("--participant", "NAME", "Only conversations with this participant."),
    "conversation": text_option("--conversation", "KEY", "Only this conversation, by key or id."),
    "session": text_option("--session", "KEY", "Only this session, by key or id."),
    "subject": text_option("--subject", "NAME", "Only what is about this subject."),
    "since": text_option("--since", "TIME", "Only what happened then or later."),
    "until": text_option("--until", "TIME", "Only what happened before then was over."),
}

Id = Annotated[str, typer.Argument(metavar="ID", help="Its id, as a hit, get or the journal shows it.")]
Text = Annotated[str, typer.Argument(metavar="TEXT", help="The text; - reads standard input.")]
Limit = Annotated[int, typer.Option("--limit", metavar="N", help="How many, at most.")]
StatusWord = Annotated[
    str,
    typer.Argument(
        metavar="STATUS",
        help=f"One of: {', '.join(status.value for status in Status)}.",
        autocompletion=_among([status.value for status in Status]),
    ),
]
