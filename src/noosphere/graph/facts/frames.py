"""What a clause says of one definite thing, whatever its words: "X is V", "V is the N of X", "X runs every V"."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from noosphere.graph.facts.rulebook import data
from noosphere.graph.facts.subjects import NO_ONE, is_name, person, thing
from noosphere.graph.facts.values import STREET, fits, tidy
from noosphere.model.persons import KIN, THIRD
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Frame:
    """A statement about a definite thing.

    Attributes:
        subject: the thing.
        attribute: the kind of value: what it is, costs, counts, where or when it is, or its state.
        value: the value as written.
        one: whether it says that this is the only value now.
        once: whether it held at a time that is over.
    """

    subject: str
    attribute: str
    value: str
    one: bool
    once: bool = False


COPULA = re.compile(
    r"\s(?:(?:has|have|need|needs|had) to be|must be|will be|has been|have been|is going to be|is|are|am)\s",
    re.IGNORECASE,
)
AGENT = re.compile(
    r"\s(?:is|are|will be|has been|is being)(?: now| currently| still)? (?P<verb>\w+) by\s", re.IGNORECASE
)
TAKES = re.compile(
    r"\s(?:returns as|returned as|takes over as|took over as|was (?:elected|made|appointed|named)(?: as)?|has been "
    r"(?:elected|made|appointed|named)|becomes|became|has become|steps in as|stepped in as|is back as|serves as|"
    r"acts as|(?:has )?(?:replace[sd]|succeed(?:s|ed)|tak(?:es|en) over from|took over from) [A-Z][\w'’. -]+? as)\s",
    re.IGNORECASE,
)
FORMER = re.compile(r"^(?P<who>[^,;:]{2,60}?) (?:was|were) (?P<what>[^,;:]{2,60})$", re.IGNORECASE)
ACTIVE = re.compile(
    r"^(?P<who>[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*)*)(?: now| currently)? (?P<verb>[a-z]+s) "
    r"(?P<what>(?:the|our|my|[A-Z]).*)$"
)
POST = re.compile(r"(?P<value>an? (?P<last>[a-z][\w -]{2,30}?)) (?:at|with) (?:the )?[A-Z]")
BECOME = re.compile(r"(?P<value>an? (?:[\w-]+ )?(?P<last>[a-z]+))$")
ROLE = re.compile(
    r"^(?P<who>[\w'’.-]+?(?: [\w'’.-]+?){0,3}?)(?: is| am|['’]m|['’]s| has been| have been|['’]ve been|(?P<past> was))"
    r"(?: now| currently| still| officially)? (?P<role>.+)$",
    re.IGNORECASE,
)
BROKEN = re.compile(
    r"[,:;?()]|\b(?:who|which|that|if|when|because|what|there|it|this|where|how|than|whether|not|and then|isn|don|"
    r"says?|said|think|thinks|hope|hopes|know|knows|asked|told|sure)\b|n['’]t\b",
    re.IGNORECASE,
)
NEGATED = re.compile(r"\b(?:not|never|no longer|n['’]t|no more|any ?more|nobody|none)\b|n['’]t\b", re.IGNORECASE)
LATELY_NOT = re.compile(r"(?:not|n['’]t)\b.*\b(?:any ?more|any longer)\b", re.IGNORECASE)
SHORT_BE = re.compile(r"^(I|we|they)['’](?:m|re) ", re.IGNORECASE)
NOW_BEFORE = re.compile(r" (?:now|currently|these days|nowadays)$", re.IGNORECASE)
BEFORE = re.compile(
    r"^(?:(?:(?:handed|submitted|delivered|paid|returned|filed|finished|sent|posted|completed|turned|given)(?: in| "
    r"out| off| back| up)?(?= (?:by|before|on|no later) )|now|currently|still|also|"
    r"only|officially|again|already|finally|these days|at the moment|today|just|"
    r"actually|really|currently|set|fixed|raised|lowered|cut|back|down|up|being|once again|once more|about|around|"
    r"roughly|with|due|planned|scheduled|booked|young|down to|up to|at|to)\s+)+(?=\S)",
    re.IGNORECASE,
)
ADVERBS = re.compile(
    r"^(?:(?:now|currently|still|also|officially|again|already|finally|these days|at the moment|today|just|actually|"
    r"really|once again|once more|being|young)\s+)+",
    re.IGNORECASE,
)
AFTER = re.compile(
    r"(?:,(?!\d)|[;:(!?]| [-–—]+ |\s(?:because|since|so|but|although|though|while|until|till|who|which|where|if|when|"
    r"instead|now|again|these days|at the moment|as of|starting|effective|after all|thanks to|due to|for the time "
    r"being|"
    r"for now|anymore|any more|in place of|rather than|from now on|as planned|this (?:year|week|month|season|time)|"
    r"for the rest of .*)\b).*$",
    re.IGNORECASE,
)
AMOUNT = re.compile(
    r"(?:[$€£¥] ?\d[\d.,]*k?|\d[\d.,]*k? ?(?:euros?|dollars?|pounds?|francs?|cents|pence|kroner|yen|quid|bucks|eur|usd|"
    r"gbp|chf|[$€£])\b)",
    re.IGNORECASE,
)
RATE = re.compile(
    r"\d[\d.,]*k? (?:an?|per|each|apiece) ?(?:hour|day|night|week|month|term|year|litre|kilo|box|jar|head|piece|"
    r"person|acre|lesson|session|ticket|visit|unit|seat|page|word)?\b",
    re.IGNORECASE,
)
SECRET = re.compile(r"\b(?:password|passphrase|passcode|combination|pin)$", re.IGNORECASE)
HEADS = re.compile(r"^headcount (?:at|of|for) |(?:['’]s)? headcount$", re.IGNORECASE)
PRICED = re.compile(
    r"\b(?:budget|rent|fee|fees|price|cost|salary|fare|bill|rate|subscription|deposit|premium|drop-in|ticket|pass)\b",
    re.IGNORECASE,
)
CONTACT = re.compile(r"[\w.+-]+@[\w.-]+\w|[+(]?\d[\d ()./-]{5,}\d$")
COUNT = re.compile(r"\d[\d.,]*k?(?: ?(?P<unit>[a-zA-Z%°/]+)(?: .*)?)?$")
RATIO = re.compile(r"\d+ ?/ ?\d+")  # a blood pressure, a score
DAY = re.compile(
    r"(?:back )?(?:on |at |by |for |in |until |every |the )*(?:\d{1,2}(?:st|nd|rd|th)?\b|(?:mon|tues?|wed(?:nes)?|"
    r"thu(?:rs)?"
    r"|fri|sat(?:ur)?|sun)(?:days?)?\b|(?:early |late |mid[- ]|the end of )?(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|"
    r"apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b|next|"
    r"tomorrow|tonight|noon|midnight|weekdays|daily|q[1-4]\b|20\d\d\b)",
    re.IGNORECASE,
)
CALENDAR = re.compile(
    r":\d|\d(?:st|nd|rd|th)\b|\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)"
    r"(?:days?)?)\b",
    re.IGNORECASE,
)
DOING = re.compile(r"(?!waiting|missing|pending|going)\w+ing\b", re.IGNORECASE)
PLACE = re.compile(
    r"(?:with (?:the|my|our|his|her|their)|in|at|on|under|behind|beside|inside|near|next to|above|below)\s+\S",
    re.IGNORECASE,
)
NOWHERE = re.compile(
    r"(?:in|at|on|under) (?:a |the )?(?:use|trouble|charge|doubt|fire|sale|hold|time|track|vain|love|need|order|danger|"
    r"progress|review|production|beta|place|line|strike|risk|least|all|average|fact|general|touch|short|top|"
    r"good|bad|great|my way|your way|way|board|call|duty|leave|holiday|vacation|question|construction|pressure|"
    r"control|work|stake|odds|ease|home|english|french|german|spanish)\b",
    re.IGNORECASE,
)
HEADED = re.compile(r"^(?P<det>the|our|my|his|her|their|[A-Z][\w-]*(?: [A-Z][\w-]*)?['’]s)\s+(?P<rest>.+)$")
OFFICE = re.compile(r"^(?!an? )[A-Za-z][\w-]*(?: [\w-]+){0,3}? (?:of|at|for) (?:the|our|my|[A-Z\d]).*$")
ROTATED = re.compile(
    r"^(?i:even )?(?P<front>(?i:for|in|on|at|to|against) (?:(?:my|our|his|her) )?"
    r"(?:(?!(?:I|we|he|she|they|my|our|is|are)\b|we['’])[\w'’-]++ ?){1,6}?),? "
    r"(?P<who>(?:I|we|my|our|the|he|she|they|[A-Z][\w'’-]+)\b"
    r"(?P<rest>[^,.;]* (?:uses?|is|are|keeps?|prefers?|use|takes?|treats?|needs?)\b.+))$"
)
FIRST_PERSON = re.compile(r"I['’]m |I am |I['’]ve been |(?:he|she)['’]s ", re.IGNORECASE)
BARE = re.compile(r"[a-z][\w-]*(?: [a-z][\w-]*){0,2}")
CHANGED = re.compile(
    r"^(?P<what>(?:the|our|my|his|her|their|[A-Z][\w-]*['’]s) [\w'’ -]+?)(?: has| have)?(?: was| were| been| got)? "
    r"(?:changed|switched)(?: over)?(?: from [^,;]+?)? to (?P<value>[^,;]+)$",
    re.IGNORECASE,
)
KIN_VALUE = re.compile(r"(?:my|his|her|our|their) (?P<kin>[a-z]+)(?: [A-Z][\w-]+)?$", re.IGNORECASE)
# Words of which one stands in what COPULA, FORMER, CHANGED and TAKES match.
BE, WAS, CHANGING = frozenset(["is", "are", "am", "be", "been"]), frozenset(["was", "were"]), {"changed", "switched"}
TAKING = frozenset(
    """
    returns returned takes took elected made appointed named becomes became become steps stepped back serves acts
    replaces replaced succeeds succeeded taken
    """.split()  # noqa: SIM905  (a text reads better than twenty quotes)
)
FINDING = BE | TAKING | WAS | CHANGING
MOST = 9  # words of a subject: a longer one is a clause
FEW = 2  # words that name a thing by themselves, without an article or an owner


def turned(clause: str) -> str:
    """A clause whose subject comes first: "For tickets we use Zendesk" is "we use Zendesk for tickets"."""
    match = ROTATED.match(clause)
    if match is None:
        return clause
    front, (said, comma, aside) = match["front"], match["who"].partition(", ")
    return f"{said} {front[0].lower()}{front[1:].strip()}{comma}{aside}"


def framed(clause: str, speaker: str, named: str | None, *, renews: bool) -> Frame | None:
    """The statement a clause makes about a definite thing; `renews` when it says that something has changed."""
    whole = clause
    if not _words(clause).isdisjoint(CHANGING):
        clause = CHANGED.sub(r"\g<what> is now \g<value>", clause)
    clause = SHORT_BE.sub(lambda m: f"{m[1]} {'am' if m[1].lower() == 'i' else 'are'} ", clause)
    frame = next((frame for frame in _readings(clause, speaker, named, renews=renews) if frame is not None), None)
    if frame is None or NEGATED.search(AFTER.sub("", whole)) or LATELY_NOT.search(whole):
        return None
    return frame


def _words(clause: str) -> frozenset[str]:
    """The words of a clause as spaces part them; of one with foreign letters all by which forms are found too.

    A pattern that ignores case takes some of these letters for others.
    """
    words = frozenset(clause.lower().split())
    return words if clause.isascii() else words | _finding()


@cache
def _finding() -> frozenset[str]:
    """All words by which forms are found."""
    return FINDING.union(agents())


def _role(clause: str, speaker: str, named: str | None, *, renews: bool) -> Frame | None:
    """Read what somebody works as: "I am a deckhand on the ferry"."""
    match = ROLE.match(clause)
    if match is None:
        return None
    said = AFTER.sub("", match["role"])
    role = _occupation().match(said) or POST.match(said) or (BECOME.match(said) if renews else None)
    if role is None:
        return None
    if role["last"] is not None and role["last"].lower() in _roles("never"):
        return None
    who = person(match["who"], speaker, named)
    if who is None:
        return None
    past = match["past"] is not None
    return Frame(who, "job_title", tidy(role["value"], "phrase"), one=True, once=past)


def _readings(clause: str, speaker: str, named: str | None, *, renews: bool) -> Iterator[Frame | None]:
    words = _words(clause)
    acting = not words.isdisjoint(agents())
    if acting and (by := AGENT.search(clause)) is not None and (noun := agents().get(by["verb"].lower())) is not None:
        yield _held(clause[: by.start()], noun, clause[by.end() :], speaker, named)
    if acting and (acts := ACTIVE.match(clause)) is not None and (noun := agents().get(acts["verb"])) is not None:
        held = _held(AFTER.sub("", acts["what"]), noun, acts["who"].strip(), speaker, named)
        yield None if held is None else replace(held, one=True)
    if not words.isdisjoint(TAKING) and (takes := TAKES.search(clause)) is not None:
        yield _office(clause[: takes.start()].strip(), clause[takes.end() :], speaker, named, renews=True)
    if not words.isdisjoint(WAS) and (was := FORMER.match(clause)) is not None:
        who, what = was["who"].strip(), was["what"].strip()
        whole = what if is_name(who) or who.split()[0].rstrip(".") in _several("titles") else who
        found = _office(who, what, speaker, named, renews=False) or _office(what, who, speaker, named, renews=False)
        if found is not None and whole:
            yield replace(found, once=True)
        yield _role(clause, speaker, named, renews=renews)
        return
    if FIRST_PERSON.match(clause):
        yield _role(clause, speaker, named, renews=renews)
    if not words.isdisjoint(BE) and (is_ := COPULA.search(clause)) is not None:
        before, after = NOW_BEFORE.sub("", clause[: is_.start()]).strip(), clause[is_.end() :].strip()
        if before and after and not BROKEN.search(before) and len(before.split()) <= MOST:
            yield _office(before, after, speaker, named, renews=renews)
            yield _role(clause, speaker, named, renews=renews)
            yield _copula(before, after, speaker, named, renews=renews)


def _held(what: str, noun: str, who: str, speaker: str, named: str | None) -> Frame | None:
    value = tidy(AFTER.sub("", ADVERBS.sub("", who)), "name")
    value = named if named is not None and value.lower() in THIRD else value
    subject = thing(what.strip(), speaker, named)
    if subject is None or BROKEN.search(what) or not fits(value, "name"):
        return None
    return Frame(f"{noun} of {subject}", "identity", value, one=True)


def _office(before: str, after: str, speaker: str, named: str | None, *, renews: bool) -> Frame | None:
    """Read "Ann is captain of the second team": the office is the subject, Ann its value."""
    named_so = is_name(before) or before.split(maxsplit=1)[0].rstrip(".") in _several("titles")
    if not named_so or before.lower() in ("i", "we"):
        return None
    what = AFTER.sub("", ADVERBS.sub("", after)).strip(" .!")
    headed = HEADED.match(what)
    office = OFFICE.match(what) is not None or _is_office(what)
    if headed is None and not office:
        return None
    head = (headed["rest"] if headed else what).split(" of ")[0].split()
    if (
        not head
        or not (head[-1][0].islower() or head[-1].lower() in _roles("offices"))
        or head[-1].lower() in _several("heads")
        or head[-1] in KIN
    ):
        return None
    subject = thing(what, speaker, named)
    if subject is None or PLACE.match(what):
        return None
    if head[-1].lower() in ("head", "lead", "leader") and " of " in what:
        led = thing(what.split(" of ", 1)[1], speaker, named)
        return None if led is None else Frame(led, "lead", tidy(before, "name"), one=True)
    sole = office or (headed is not None and headed["det"] == "the" and " of " in what)
    return Frame(subject, "identity", tidy(before, "name"), one=renews or sole)


def _copula(before: str, after: str, speaker: str, named: str | None, *, renews: bool) -> Frame | None:
    subject = _definite(before, speaker, named)
    if subject is None:
        return None
    whole = AFTER.sub("", ADVERBS.sub("", after)).strip(" .!\"'")
    value = BEFORE.sub("", whole)
    kind = _kind(subject, whole, value)
    if kind is None or (kind[0] == "status" and DOING.match(whole)):
        return None
    attribute, sole = kind
    value = tidy(whole if attribute in ("status", "location") else value, "phrase")
    definite = HEADED.match(before) is not None or len(before.split()) >= FEW
    if not value or len(value.split()) > MOST or not (renews or definite):
        return None
    if attribute == "identity":
        sole = definite or renews
    if _one_of_several(before):
        return Frame(subject, attribute, value, one=False)
    subject = HEADS.sub("", subject) if attribute == "count_people" else subject
    return Frame(subject, attribute, value, one=renews or sole)


def _kind(subject: str, whole: str, value: str) -> tuple[str, bool] | None:
    """The attribute that a value is of, and whether a definite thing has one such value without more being said."""
    if (shaped := _by_shape(subject, value)) is not None:
        return shaped, True
    if DAY.match(value) and fits(value, "date") and (not COUNT.match(value) or CALENDAR.search(value)):
        return "deadline", True
    if RATIO.fullmatch(value):
        return "count_ratio", True
    if (count := COUNT.match(value)) is not None:
        unit = "people" if HEADS.search(subject) else (count["unit"] or "").lower()
        return ("price" if not unit and PRICED.search(subject) else f"count_{_units().get(unit, unit)}"), True
    if PLACE.match(whole) and NOWHERE.match(whole) is None:
        return "location", whole.split()[1].lower() in ("the", "my", "our", "his", "her", "their", "room", "ward")
    first = re.sub(r"^(?:an?|the) ", "", value)
    kin = (relative := KIN_VALUE.match(value)) is not None and relative["kin"].lower() in KIN
    return ("identity", True) if kin or (first[:1].isupper() and fits(first, "name")) else ("status", False)


def _by_shape(subject: str, value: str) -> str | None:
    """The attribute that a value is of by its shape alone."""
    if SECRET.search(subject) and " " not in value:
        return "code"
    if AMOUNT.match(value) or RATE.match(value):
        return "price"
    if STREET.match(value):
        return "address"
    return "contact" if CONTACT.match(value) else None


def _definite(words: str, speaker: str, named: str | None) -> str | None:
    first = words.split(maxsplit=1)[0].lower()
    if first in ("i", "we", "he", "she", "they", "you", "a", "an", "some", "all", "most", "many", "both", "these"):
        return person(words, speaker, named) if first in ("i", "he", "she") and " " not in words else None
    if first in NO_ONE - {"the", "this", "that", "work", "time", "life"}:
        return None
    return thing(words, speaker, named)


def _one_of_several(words: str) -> bool:
    *before, head = re.split(r" (?:of|for|at|in|on|to) ", words)[0].lower().split()
    if not _several("sole").isdisjoint(before):
        return False
    return head in _several("heads") or head.rstrip("s") in _several("heads") or head in KIN - _several("only")


@cache
def _occupation() -> re.Pattern[str]:
    ends = "|".join(sorted(_roles("ends"), key=len, reverse=True))
    states = "|".join(sorted(_roles("states"), key=len, reverse=True))
    return re.compile(
        rf"(?P<value>(?:an?|the|chief|deputy|senior|junior|lead|head|assistant|trainee) (?:[\w-]+ ){{0,2}}?"
        rf"(?P<last>[a-z]*(?:{ends}))|(?:{states}))(?: (?:at|with|for|on|of|in|there|and|now)\b.*)?$",
        re.IGNORECASE,
    )


def _is_office(words: str) -> bool:
    """Whether words without an article name an office: "is chairwoman", "is chief financial officer"."""
    return BARE.fullmatch(words) is not None and words.rsplit(maxsplit=1)[-1] in _roles("offices")


def counted(noun: str) -> str:
    """The kind of thing that a noun counts: staff and employees are people."""
    return _units().get(noun, noun)


@cache
def _units() -> dict[str, str]:
    return {unit: name for name, units in data()["units"].items() for unit in units}


@cache
def _roles(name: str) -> frozenset[str]:
    return frozenset(data()["roles"][name])


@cache
def agents() -> dict[str, str]:
    """The verbs of those who hold a post by what they do, each with its noun: who conducts is the conductor."""
    return {verb: noun for noun, verbs in data()["agents"].items() for verb in verbs}


@cache
def _several(name: str) -> frozenset[str]:
    given: Any = data()["several"]
    return frozenset(given[name])
