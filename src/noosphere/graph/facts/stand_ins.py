"""Words that stand for what was spoken of before ("it", "there", "ours") and lost subjects ("and is …"), filled in."""

from __future__ import annotations

import re

from noosphere.graph.facts.frames import PRICED

IT = re.compile(
    r"(?:it|they)(?:['’](?:s|re) (?P<is>.*)| (?P<does>(?:is|are|has|have|was|were|will|now|moved|got|costs?)\b.*))|"
    r"(?P<lost>(?:is|are|has|was|were|will|costs)\b .*)",
    re.IGNORECASE,
)
TOPIC = re.compile(r"(?P<what>[A-Z][\w'’-]*(?: (?!is\b|are\b|was\b)[\w'’-]+){0,4}): (?=\S+ \S+ )")
THERE = re.compile(r"\b(?P<does>living|working|staying|renting) there\b")
PLACE = re.compile(r"\b(?:in|to|at) (?:the )?(?:[A-Z][\w'’-]+ ?)+")
OURS = re.compile(r"(?:(?:ours|mine) is|(?:we|I)(?: now)? pay)(?: now)?(?= (?:about )?[$€£\d]) ", re.IGNORECASE)
DEFINITE = re.compile(
    r"(?P<what>(?:the|our|my) (?:[\w'’-]+ ){0,3}?[\w'’-]+) (?:is|are|was|were|has|have|will|got|moved|costs?|opens?|"
    r"closes?|[a-z]+ed) ",
    re.IGNORECASE,
)
LAST = re.compile(r" (?P<what>(?:the|our|my) [\w-]+(?: [\w-]+)?)$", re.IGNORECASE)


class StandIns:
    """What was spoken of last in a text: the thing that "it" means, and the place that "there" means."""

    def __init__(self, thing: str | None, *, there: bool) -> None:
        """Begin with what "it" means when the text does not say; `there`: whether the text says "there"."""
        self._thing = thing
        self._there = there
        self._place: str | None = None

    def head(self, sentence: str) -> None:
        """Take note of what heads a sentence: "Kitchen: the plumbing is done"."""
        if ": " in sentence and (headed := TOPIC.match(sentence)) is not None:
            self._thing = headed["what"]

    def filled(self, said: str, sentence: str) -> str:
        """A clause that names what it points at."""
        clause = said if self._place is None else THERE.sub(rf"\g<does> {self._place}", said)
        if self._there and (where := PLACE.search(clause)) is not None:
            self._place = where[0].strip()
        if OURS.match(said) is not None and (priced := PRICED.search(sentence)) is not None:
            return f"our {priced[0]} is {OURS.sub('', said)}"
        if (it := IT.match(said)) is not None:
            does = it["does"] or it["lost"] or f"is {it['is']}"
            return clause if self._thing is None else f"{self._thing} {does}"
        if (what := DEFINITE.match(said) or LAST.search(said)) is not None:
            self._thing = what["what"]
        return clause
