"""How relations are said, read from data: what stands between two names."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any

from noosphere.graph.names.lists import hints
from noosphere.records import dataclass

ADVERBS = (
    "still|now|currently|also|already|really|officially|mainly|mostly|primarily|directly|formally|recently|jointly|"
    "itself|only|just|always|both|all|temporarily|since|again|in turn|really|quietly|today|proudly|actively"
)
LINKS = (
    "that|to|in|on|of|with|for|by|at|and|or|from|like|than|as|is|are|was|were|past|over|near|under|into|onto|about|after|"
    "before|during|between|through|without|not|no|never|but|who|which|when|where|if|because|against|towards?|behind"
)
MACROS = {
    "adv": rf"(?: ?(?:{ADVERBS})\b)* ?",
    "be": r" ?(?:, )?(?:is|are|was|were|has been|have been|being|will be|ist|sind|wird|wurde|est|sont|è|es|está|fue|"
    r"wordt|jest|é|foi)?"
    rf"(?: (?:{ADVERBS}))*,? ?",
    "is": r"(?:is|are|was|were|will be|ist|est|es|è)(?: (?:now|still|currently|again))? ",
    "det": r"(?:(?:the|a|an|our|their|his|her|its|my|this|all|both|some|der|die|das|dem|den|el|la|los|las|le|les|l['’]|"
    r"il|lo|un|una|une|het|de|een|o|ein|eine|einen|sa|son|su|ihr|ihre) ?)?(?:(?:on|sur|auf) )?"
    rf"(?:(?!(?:{LINKS})\b)[a-zäöüéè-]+ ){{0,2}}[«\"“„'‘]?",
}
# What somebody is to a person or a work, not to a firm.
OF_NO_FIRM = frozenset({
    "cousin", "sister", "brother", "mother", "father", "aunt", "uncle", "wife", "husband", "son", "daughter",
    "niece", "nephew", "friend", "neighbour", "neighbor", "partner", "fiancé", "fiancée", "grandmother",
    "grandfather", "grandma", "grandpa", "mum", "mom", "dad", "twin", "author", "writer", "composer", "creator",
    "inventor", "painter", "translator", "sculptor", "poet", "fan",
})  # fmt: skip
NO_MORE = "resigned|stepped|retired|quit|refused|declined|applied|fired|dismissed|removed|sacked"  # as its head
WORD = re.compile(r"\{([a-z]+)\}")


@dataclass(frozen=True, slots=True)
class Form:
    """One way to say a relation.

    Attributes:
        turned: whether it reads from the second name to the first.
        src, dst: the types that its ends may have; none for those of the ontology.
        attaches: whether it belongs to the name before it alone, as in "Ellery Campus in Dunedin", not to a sentence.
        sure: whether the types of both ends must be told by something else.
        told: which end must have its type from something else ("src", "dst", "both"), the other by a guess at least.
        behind: what must not stand before the first name.
        ahead: what must stand right before the first name: "the lead of".
        tail: what must follow the second name: verbs that stand at the end.
    """

    id: str
    type: str
    turned: bool
    between: re.Pattern[str]
    src: tuple[str, ...]
    dst: tuple[str, ...]
    attaches: bool
    sure: bool
    told: str | None = None
    behind: re.Pattern[str] | None = None
    tail: re.Pattern[str] | None = None
    ahead: re.Pattern[str] | None = None


@cache
def forms() -> tuple[Form, ...]:
    """Read the forms, once."""
    return tuple(_form(given) for given in data()["form"])


@cache
def data() -> dict[str, Any]:
    """The file of forms as it stands."""
    folder = resources.files("noosphere.graph.relations")
    return tomllib.loads(folder.joinpath("relations.toml").read_text(encoding="utf-8"))


def _form(given: dict[str, Any]) -> Form:
    return Form(
        id=given["id"],
        type=given["type"],
        turned=given.get("turned", False),
        between=_pattern(given["between"]),
        src=tuple(given.get("src", ())),
        dst=tuple(given.get("dst", ())),
        attaches=given.get("attaches", False),
        sure=given.get("weak", False),
        told=given.get("told"),
        behind=_optional(given, "behind"),
        tail=_optional(given, "tail"),
        ahead=_optional(given, "ahead"),
    )


def _optional(given: dict[str, Any], name: str) -> re.Pattern[str] | None:
    return _pattern(given[name]) if name in given else None


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(WORD.sub(lambda m: _macros()[m[1]], text), re.IGNORECASE)


@cache
def _macros() -> dict[str, str]:
    lists = hints()
    people = [word for word, type_ in lists.beside.items() if type_ == "person"]
    role = "|".join(sorted({*people, *lists.titles}, key=len, reverse=True))
    jobs = "|".join(sorted({*people, *lists.titles} - OF_NO_FIRM, key=len, reverse=True))
    job = rf"(?:(?!(?:{NO_MORE})\b)[a-z-]+ ){{0,3}}(?:{jobs})s?"
    return MACROS | {"role": rf"(?:(?:[a-z-]+ ){{0,2}}(?:{role})s?\.?,? )?", "job": job}
