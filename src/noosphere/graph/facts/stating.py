"""Which sentences of a text may state a fact, told by their words: the others are not cut into clauses and read.

Clauses say little that their sentence does not. What is put into them ("moved to Riga" is "I moved to Riga", "it" may
be the rent) is added to the words of the sentence here; where that cannot be told, the sentence is one that may.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from noosphere.graph.facts.clauses import APOSTROPHES_LOST, DOING, TITLED, line, sentences, signed
from noosphere.graph.facts.frames import TAKES, agents
from noosphere.graph.facts.idioms import may_hold_idiom
from noosphere.graph.facts.rulebook import rulebook, updates
from noosphere.graph.facts.short_is import is_short
from noosphere.graph.facts.when import UNTIL_LED, may_tell
from noosphere.model.needs import Sought
from noosphere.model.pieces import PIECES
from noosphere.model.worded import Worded, worded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noosphere.graph.facts.rulebook import Form

TOPICAL = re.compile(r"(?:my |our )?favou?rite(?: [\w-]+){1,2} ?\?", re.IGNORECASE)
IT = re.compile(
    r"\b(?:it|they)(?:['’](?:s|re)| (?:is|are|has|have|was|were|will|now|moved|got|costs?)\b)", re.IGNORECASE
)
POST = re.compile(
    r"(?:['’][ms]|\b(?:was|been))(?: (?:now|currently|still|officially))? (?:an?|the|chief|deputy|senior|junior|lead|"
    r"head|assistant|trainee|retired|unemployed|out of work|self[- ]employed)\b",
    re.IGNORECASE,
)
# Words put into clauses: into one that lost its subject, and into one made of what stands beside such a word.
PUT_IN = Worded("I am is they")
PUT_IN_FOR = (Worded("in"), Worded("work at"), Worded("my"))
MADE_OF = PIECES.whole(["where", "still", "home"])
# With one of these words a sentence names what a later "it" may mean; with one of those a clause may be about it.
POINTING = PIECES.whole(["the", "our", "my", "home"])
LOST = PIECES.whole(["is", "are", "has", "was", "were", "will", "costs"])
# What may stand for words that the sentence does not have.
FILLED = PIECES.whole(["ours", "mine", "pay", *APOSTROPHES_LOST])
MOVING = ("moved", "live", "lives", "settled", "based")
THERE, STAYING = PIECES.whole(["there", "here"]), PIECES.whole(["living", "working", "staying", "renting", *MOVING])
THIRD, NEWLY = PIECES.whole(["it", "they"]), PIECES.whole(["new", "another", "different"])
ODD = FILLED | THERE | THIRD | NEWLY
# What a frame stands around: a form of "to be", alone or with such a word, or one that comes with a time or a post.
COPULA = PIECES.whole(["is", "are", "am", "changed", "switched"])
BE, BE_WITH = PIECES.whole(["be"]), PIECES.whole(["must", "will", "has", "have", "need", "needs", "had", "going"])
BEEN, BEEN_WITH = PIECES.whole(["been"]), PIECES.whole(["has", "have"])
WAS = PIECES.whole(["was", "were", "been", "m", "s"])
SHORT_BE = PIECES.whole(["s"])
OF_ME = PIECES.whole(["m", *DOING])
OF_TITLE = PIECES.whole(["at", "of", "for", "with"])


class Sentence(NamedTuple):
    """A sentence that may state a fact, or stands before one that may.

    Attributes:
        text: the sentence, with the question that it answers.
        span: where it stands in the text.
        ways: the forms of rules that its clauses may meet, by the numbers of the rules; None when each clause tells.
        framed: whether its clauses may have a frame.
        dated: whether its clauses may name a time.
    """

    text: str
    span: tuple[int, int]
    ways: dict[int, list[Form]] | None
    framed: bool
    dated: bool

    @property
    def states(self) -> bool:
        """Whether it may state a fact itself."""
        return self.framed or self.ways is None or bool(self.ways)


def stating(text: str, thing: str | None) -> list[Sentence]:
    """The sentences of a text up to the last one that may state a fact, without questions; none when none may.

    Args:
        text: the text.
        thing: what "it" means at its start, if anything.
    """
    _ready()
    looked: list[Sentence] = []
    last, asked, before = 0, "", _Before(text, thing)
    for start, end in sentences(text):
        said = f"{asked}{text[start:end]}"
        if said.rstrip("\"'”) ").endswith("?"):
            asked = f"{said.rstrip(' ?')}: " if TOPICAL.match(said) else ""
            continue
        asked = ""
        looked.append(sentence := _look(said, (start, end), before))
        if sentence.states:
            last = len(looked)
    return looked[:last]


@cache
def _ready() -> None:
    """Read what the words are asked about: what a word holds is told by the pieces known until then."""
    for read in (rulebook, _holding, _takes):
        read()
    updates("")
    may_hold_idiom("")


class _Before:
    """What was said until now that a clause may be about without naming it.

    Attributes:
        held: the pieces of all that "it" may be.
        unlike: whether it has letters of other case than they show.
        names_thing: whether a thing was named.
    """

    __slots__ = ("held", "names_thing", "unlike")

    def __init__(self, text: str, thing: str | None) -> None:
        told = worded(text)
        self.held, self.unlike, self.names_thing = told.held, told.unlike, thing is not None
        if thing is not None:
            named = worded(thing)
            self.held, self.unlike = self.held | named.held, self.unlike or named.unlike


def _look(said: str, span: tuple[int, int], before: _Before) -> Sentence:
    told = worded(said)
    held, words = told.held, told.words
    before.names_thing = before.names_thing or held & POINTING != 0 or ":" in said
    if before.unlike or may_hold_idiom(said) or _is_filled(said, held, before):
        return Sentence(said, span, None, framed=True, dated=True)
    if before.names_thing and held & LOST:
        held |= before.held
    framed = (held & SHORT_BE != 0 and is_short(said)) or _may_frame(said, words, held)
    ways = rulebook().among(held | PUT_IN.held if not held & MADE_OF else held | _put_in())
    dated = (framed or bool(ways)) and (held & UNTIL_LED != 0 or may_tell(said, words))
    return Sentence(said, span, ways, framed=framed, dated=dated)


def _put_in() -> int:
    return PUT_IN.held | PUT_IN_FOR[0].held | PUT_IN_FOR[1].held | PUT_IN_FOR[2].held


def _is_filled(said: str, held: int, before: _Before) -> bool:
    """Whether words of which the sentence does not tell may be put into a clause."""
    if not held & ODD:
        return signed(said) and line(said) is not None
    return bool(
        held & FILLED
        or (held & THERE and held & STAYING)
        or (before.names_thing and held & THIRD and IT.search(said) is not None)
        or line(said) is not None
    )


def _may_frame(said: str, words: Iterable[str], held: int) -> bool:
    if held & _holding() or (held & BE and held & BE_WITH) or (held & BEEN and held & BEEN_WITH):
        return True
    if held & WAS and (POST.search(said) is not None or may_tell(said, words)):
        return True
    if held & OF_ME and updates(said):
        return True
    if _takes().fits(held):
        return True
    return bool(held & OF_TITLE) and ", " in said and TITLED.search(said.rstrip(" .!")) is not None


@cache
def _holding() -> int:
    """The words of which one is enough for a frame."""
    return COPULA | PIECES.whole(agents())


@cache
def _takes() -> Sought:
    return Sought(TAKES)
