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
GREETED = re.compile(
    r"\b(?i:(?:goodbye|good-bye|bye|bye-bye|farewell|so long|adieu),? [\w'’ -]+[,;:!.–-]+ ?(?:and )?hello(?: again)?,?|"
    r"greetings from|arrived in|landed in|welcome to) (?P<place>(?:[A-Z][\w'’-]+ ?)+)"
)
HERE = re.compile(r"\b(?:(?P<moved>moved)|(?P<does>live|lives|living|settled|based)) here\b")
OURS = re.compile(r"(?:(?:ours|mine) is|(?:we|I)(?: now)? pay)(?: now)?(?= (?:about )?[$€£\d]) ", re.IGNORECASE)
DEFINITE = re.compile(
    r"(?P<what>(?:the|our|my) (?:[\w'’-]+ ){0,3}?[\w'’-]+) (?:is|are|was|were|has|have|will|got|moved|costs?|opens?|"
    r"closes?|[a-z]+ed) ",
    re.IGNORECASE,
)
LAST = re.compile(r" (?P<what>(?:the|our|my) [\w-]+(?: [\w-]+)?)$", re.IGNORECASE)


class StandIns:
    """What was spoken of last in a text: the thing that "it" means, and the place that "there" and "here" mean."""

    def __init__(self, thing: str | None, *, there: bool) -> None:
        """Begin with what "it" means when the text does not say; `there`: whether the text says "there" or "here"."""
        self._thing = thing
        self._there = there
        self._place: str | None = None
        self._greeted: str | None = None

    def head(self, sentence: str) -> None:
        """Take note of what heads a sentence: "Kitchen: the plumbing is done"."""
        if ": " in sentence and (headed := TOPIC.match(sentence)) is not None:
            self._thing = headed["what"]

    def filled(self, said: str, sentence: str) -> str:
        """A clause that names what it points at."""
        clause = said if self._place is None else THERE.sub(rf"\g<does> {self._place}", said)
        if self._greeted is not None:
            clause = HERE.sub(self._named_here, clause)
        if self._there and (where := PLACE.search(clause)) is not None:
            self._place = where[0].strip()
        if self._there and (greeted := GREETED.search(sentence)) is not None:
            self._greeted = greeted["place"].strip()
        if OURS.match(said) is not None and (priced := PRICED.search(sentence)) is not None:
            return f"our {priced[0]} is {OURS.sub('', said)}"
        if (it := IT.match(said)) is not None:
            does = it["does"] or it["lost"] or f"is {it['is']}"
            return clause if self._thing is None else f"{self._thing} {does}"
        if (what := DEFINITE.match(said) or LAST.search(said)) is not None:
            self._thing = what["what"]
        return clause

    def _named_here(self, match: re.Match[str]) -> str:
        return f"moved to {self._greeted}" if match["moved"] else f"{match['does']} in {self._greeted}"
