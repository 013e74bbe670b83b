"""A text cut into sentences and clauses, each brought into the plain form that rules are matched against."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from noosphere.graph.facts.frames import AMOUNT, CONTACT, turned
from noosphere.graph.facts.idioms import may_hold_idiom, without_idiom
from noosphere.graph.facts.short_is import spelled_out
from noosphere.model.pieces import PIECES
from noosphere.model.worded import worded

if TYPE_CHECKING:
    from collections.abc import Iterator

SHARED = 64  # texts and sentences that are remembered with their parts: slots, renewals and endings are read in turn
MAX_CLAUSE = 240  # characters: a fact is said shortly, and the forms backtrack within a clause only
# Where a sentence or a clause ends, with the sign that ends it; `re` looks quickly for what begins with a class.
SENTENCE = re.compile(
    r"[.!?\n;](?:(?<=\n)\n*|(?<=;)\s+|(?<=[.!?])(?<!\b(?:Dr|Mr|Ms|St|vs|Jr|Sr)\.)(?<!\b(?:Mrs|Rev|Col|Gen|Sgt)\.)"
    r"(?<!\b(?:Prof|Capt)\.)(?<!\bapprox\.)(?<!\bNo\.(?=\s\d))(?<!\b[ap]\.m\.(?=\s[a-z]))(?<!\b[A-HJ-Z]\.(?=\s[A-Z]))"
    r"(?<!\b(?:e\.g|i\.e)\.)[\"'”)]?\s+)"
)
CLAUSE = re.compile(
    r"[,\s:.](?:(?<=,) (?:(?:but|however|although|though|while|whereas|so|and then|and)(?= )|"
    r"(?=(?:today |now )?(?:I|we|he|she|they|it|my|our|now)(?:['’]\w+)? |the [\w-]+(?: [\w-]+)? (?:is|are|has)\b)|"
    r"(?<=[a-z], )(?=from (?:today|now|this|\d)|as of )|(?=[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2} (?:is|has|have|will|"
    r"now|moved|costs|lives|works)\b))|"
    r"(?<= )(?:(?:but|however|although|though|while|whereas|so|and then)(?= )|"
    r"and(?= (?:I|we|he|she|they|it|my|our|her|his|their|the|now|just|has|have|is|joined|moved|started|left|no longer|"
    r"works? (?:at|for|as|in)|stud(?:y|ies)|drives?|commutes?|takes? the|earns?|teach(?:es)?|"
    r"do(?:es)?n['’]t)\b)|"
    r"and(?= [A-Z][\w'’-]+(?: [A-Z][\w'’-]+)? (?:now )?(?!is\b|has\b)[a-z]+s (?:the|our|my|his|her|their) )|"
    r"and(?= [A-Z][\w'’-]+(?: [A-Z][\w'’-]+)? (?:is|became|has become) (?:now )?(?:the|our|my) ))|"
    r"(?<=\s)[-–—]+\s|(?<=:) |(?<=\.)\.\. )"
)
LEAD = re.compile(
    r"^(?:(?:and|but|so|oh|ok|okay|well|hey|hi|yes|yeah|"
    r"no(?! longer\b|-[a-z])|nope|wait|oops|sorry|anyway|also|fyi|btw|note|heads up|"
    r"update|guys|omg|wow|ugh|phew|yay|hooray|hurray|aha|alas|k|yep|listen|look|ps|edit|great news|in other news|"
    r"small change|change of plans?|long story short|as expected|at last|after all|by day|by night|by profession|"
    r"by trade|on paper|news|good news|bad news|big news|by the way|just so you know|for the record|correction|"
    r"my mistake|my bad|"
    r"actually|in fact|turns out|it turns out(?: that)?|remember that|note that|"
    r"please note(?: for [\w ]{1,20})? that|please note|"
    r"please remember(?: that)?|"
    r"i think|i meant(?: to say)?|i misspoke|as you know|now|then|from now on|these days|currently|at the moment|"
    r"right now|for now|finally|officially|as it happens|to be clear|going forward|meanwhile|until then|since then|"
    r"after that|later|recently|today|as for me|instead|unfortunately|sadly|luckily|quick update|small update|"
    r"with effect from (?:today|now)|from (?:today|this \w+)(?: on)?|as of (?:today|yesterday|now|this \w+)|"
    r"because of (?:the|a|an) \w+|reminder|scratch that|apparently|plot twist|please|(?:everyone|folks|team|"
    r"guys)(?=[,:!])|"
    r"(?:i |we )?(?:just )?(?:heard|learn(?:t|ed)|found out|was told|were told|read|saw)(?: (?!that)\w+){0,5} that|"
    r"the (?:council|board|city|office) (?:says|said|has decided|decided|announced)(?: that)?)\b[\s,:!.–—-]*)+",
    re.IGNORECASE,
)
SHORTENED = {"im": "I'm", "ive": "I've", "id": "I'd"}
DENYING = ("do", "does", "did", "is", "are", "was", "were", "have", "has", "wo", "ca")
WITHOUT_APOSTROPHE = re.compile(rf"\b(?:({'|'.join(SHORTENED)})(?= )|({'|'.join(DENYING)})nt\b)", re.IGNORECASE)
APOSTROPHES_LOST = frozenset([*SHORTENED, *(f"{verb}nt" for verb in DENYING)])
AND_I = re.compile(r"\b(?!I\b)(?P<other>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?|^[a-z]{3,}) and (?:I|me|myself)\b(?!['’])")
DOING = (
    "working", "living", "studying", "staying", "based", "renting", "teaching", "moving", "learning", "driving",
    "using", "engaged", "married",
)  # fmt: skip
SUBJECTLESS = re.compile(
    r"^(?P<adverb>(?:just|finally|recently|officially|already|now|also|still|back) )?"
    rf"(?:(?P<doing>{'|'.join(DOING)})|(?P<did>no longer|do(?:es)?n['’]t|moved|started|joined|left|quit|got|"
    r"switched|sold|bought|worked|signed|accepted|landed|relocated|became|turned|stopped|cancelled|canceled|resigned|"
    r"retired|changed|traded|swapped|upgraded|been|lived|enrolled|dropped|gave|handed|replaced|adopted|dumped|ditched|"
    r"cut|packed in|binned|scrapped|swore|sworn|given up|gone off|went off|kicked|"
    r"works(?= (?:at|for|as) )|work(?= (?:at|for) (?-i:[A-Z])| as an? )|drives?(?= an? )|stud(?:y|ies)(?= )))\b"
    r"(?= )",
    re.IGNORECASE,
)
OF_ANOTHER = re.compile(r"doesn['’]t |no longer [a-z]+(?<!s)s ", re.IGNORECASE)  # a verb that "I" does not go with
LABELLED = re.compile(
    r"^(?P<what>(?:[A-Z]|my |our |new )[\w'’.&/-]*(?: [\w'’.&/-]+){0,8}?)(?: now| today)?(?P<sign>:|\?|"
    r"\s[-–—])\s+(?P<value>[^:?]{1,60}?)(?:, [^,]*)?[.!]*$"
)
NEWLY = re.compile(
    rf"^(?P<who>[\w'’. -]{{2,40}}?) (?:has|have|got|has got|have got) an? (?:new|another|different) (?P<what>[\w "
    rf"]{{3,30}}?)"
    rf"(?: now)?[:,] (?P<value>{CONTACT.pattern.removesuffix('$')}|{AMOUNT.pattern})\b.*$"
)
NEW = (" new ", " another ", " different ")  # one of them stands in what NEWLY matches
SIGN = re.compile(r"[:?–—-]")  # one of them stands in what LABELLED matches
VALUE = re.compile(
    rf"(?:{AMOUNT.pattern}|[A-Z][a-z]+ \d{{1,2}}(?:, \d{{4}})?$|\d{{1,2}} [A-Z][a-z]+(?: \d{{4}})?$|"
    rf"\d+\w? [A-Z][a-z]+.*$|{CONTACT.pattern}|\d[\d.,:]*\b(?: \w+)?$|"
    r"[a-z_-]+\d[\w-]*$|[A-Z][\w'’.-]*(?: (?:[A-Z][\w'’.-]*|on|of|de|van|the|da|and))*$)"
)
QUOTING = (
    "says", "said", "goes", "writes", "wrote", "asks", "asked", "shouts", "replied", "replies", "answers", "answered"
)  # fmt: skip
QUOTES = re.compile(rf"\b(?:{'|'.join(QUOTING)})$", re.IGNORECASE)
LONGEST_QUOTE = 1 + max(map(len, QUOTING))  # with a line end behind it, before which `$` matches too
# "Tromsø, where I live now" and "the clinic, which is run by Ann" say a second thing.
WHERE = re.compile(
    r"(?P<place>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2}),? where (?P<who>I|we|he|she|[A-Z][\w'’-]+) "
    r"(?:now |currently |still )?(?P<verb>lives?|works?|stays?|study|studies)\b"
)
WHICH = re.compile(
    r"(?P<what>\b(?:the|our|my) (?:[\w'’-]+ ){0,3}?[\w'’-]+|[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2}), (?:which|who) "
    r"(?P<rest>(?:is|are|was|has|have|now|lives?|works?|costs?|will|runs?|leads?|moved|[a-z]+s)\b [^,;]+)"
)
TITLED = re.compile(
    r"(?P<who>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){1,2}), (?P<what>(?:[a-z][\w-]* ){1,4}(?:at|of|for|with) [A-Z][\w'’& -]+)$"
)
STILL = re.compile(r"^(?:I|We)\b.*, still (?:at|with|for) (?P<where>[A-Z][\w'’&-]+(?: [A-Z&][\w'’-]*){0,3})[.!]?$")
OCCASION = re.compile(
    r"^(?i:after|since|before|thanks to|because of|due to|given|despite) "
    r"(?i:my|her|his|their|our|the) [\w-]+(?: [\w-]+)?,? (?=(?:the|my|our|his|her) [\w' "
    r"-]+ (?:is|are|has|have|will be) )"
)
HOME = re.compile(r"^home(?= (?:is|will be)\b)", re.IGNORECASE)
SINCE = re.compile(
    r"^(?i:since|after|before|despite|following|due to|thanks to|given|because of|with) (?:\S+ ){1,7}?"
    r"(?=(?:I|we|he|she|they|my|our) |(?<=, )the |(?<!\bthe )(?<!\bthat )(?:[A-Z][\w'’-]+ )+(?:[a-z]+s|[a-z]+ed|has|"
    r"is|are|was|left|took|got|went|became|began) |(?<= leave )the |(?<= fall )the |(?<= vote )the )"
)
# What a line says of whoever wrote it; and single words that head a line, and not a text.
PERSONAL = re.compile(
    r"(?:new |current |home |work |private |mobile |cell |phone |e-?mail |postal |street )*"
    r"(?:phone|mobile|number|e-?mail|address|employer|job title|bank|dentist|doctor|gp|diet)",
    re.IGNORECASE,
)
HAS = re.compile(
    r"(?P<who>[A-Z][\w-]*(?: [A-Z][\w-]*)?)(?:['’]ve| have| has)(?: got)? an? (?:new )?(?P<what>[a-z]+)(?: again| now)?"
)
FIRST = ("I", "We")
POSSESSES = "'s"
FAVOURITE = re.compile(r"favou?rite\b", re.IGNORECASE)
ALONE = re.compile(
    r"deadline|rent|budget|price|fee|headcount|venue|location|owner|status|version|launch|release|due|lead|manager",
    re.IGNORECASE,
)
ENOUGH = 2  # words of a label: a single one is a heading


@lru_cache(maxsize=SHARED)
def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Where the sentences of a text stand."""
    return tuple(_sentences(text))


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for cut in SENTENCE.finditer(text):
        end = cut.start() + (text[cut.start()] in ".!?")
        if text[at:end].strip():
            yield at, end
        at = cut.end()
    if text[at:].strip():
        yield at, len(text)


class Clause(NamedTuple):
    """A clause in the plain form that rules are matched against.

    Attributes:
        text: its words.
        lost: whether its subject is left out.
        plain: what it says by an idiom of change, put plainly.
    """

    text: str
    lost: bool = False
    plain: str | None = None


@lru_cache(maxsize=SHARED)
def clauses(sentence: str) -> tuple[Clause, ...]:
    """The clauses of a sentence; a line "Fee: 3 euros" is "Fee is 3 euros"."""
    return tuple(_clauses(sentence))


def _clauses(sentence: str) -> Iterator[Clause]:
    if not may_hold_idiom(sentence):
        yield from _as_said(sentence)
        return
    whole = without_idiom(_led(sentence).strip(' .!;"“”()'), whole=True)
    for n, clause in enumerate(_as_said(sentence)):
        plain = without_idiom(without_occasion(clause.text)) if whole is None else None if n else whole
        yield clause._replace(plain=plain)


def _as_said(sentence: str) -> Iterator[Clause]:
    if (labelled := line(sentence)) is not None:
        yield Clause(labelled)
        return
    quoted = False
    for part in CLAUSE.split(_in_order(_with_apostrophes(spelled_out(sentence)))):
        if quoted:
            return
        quoted = _introduces(part)
        clause = part.strip(' .!,;"“”()')
        if clause and len(clause) <= MAX_CLAUSE:
            plain = _home(turned(_led(clause)))
            yield Clause(plain, SUBJECTLESS.match(plain) is not None)
    yield from map(Clause, _relative(sentence))


def _with_apostrophes(sentence: str) -> str:
    told = worded(sentence)
    if told.plain and not told.held & _without_apostrophe():
        return sentence
    return WITHOUT_APOSTROPHE.sub(_apostrophe, sentence)


@cache
def _without_apostrophe() -> int:
    """The words of which one stands in a plain text that leaves an apostrophe out."""
    return PIECES.whole(APOSTROPHES_LOST)


def _in_order(sentence: str) -> str:
    """A sentence in which nobody stands before "and I"."""
    if " and I" not in sentence and " and m" not in sentence:
        return sentence
    return AND_I.sub(r"I and \g<other>", sentence)


def _introduces(part: str) -> bool:
    """Whether a part of a sentence ends with a word that brings in what somebody said."""
    if part.isascii() and not part[-LONGEST_QUOTE:].lower().rstrip("\n").endswith(QUOTING):
        return False
    return QUOTES.search(part) is not None


def _relative(sentence: str) -> Iterator[str]:
    """What a sentence says of something by the way: "the clinic, which is run by Ann" is "the clinic is run by Ann"."""
    if ", " not in sentence and " where " not in sentence:
        return
    if (where := WHERE.search(sentence)) is not None:
        yield f"{where['who']} {where['verb']} in {where['place']}"
    if ", wh" in sentence and (which := WHICH.search(sentence)) is not None:
        yield f"{which['what']} {which['rest'].rstrip('.!')}"
    if (still := STILL.search(sentence)) is not None:
        yield f"I work at {still['where']}"
    if (titled := TITLED.search(sentence.rstrip(" .!"))) is not None:
        yield f"{titled['who']} is {titled['what']}"


@lru_cache(maxsize=SHARED)
def plainly(clause: str) -> str:
    """A clause that begins with its subject."""
    return _home(turned(without_occasion(_led(clause))))


def _led(clause: str) -> str:
    """A clause without what leads to it: "By the way, I moved" is "I moved"."""
    match = LEAD.match(clause)
    return clause if match is None else clause[match.end() :]


def _home(clause: str) -> str:
    match = HOME.match(clause)
    return clause if match is None else f"my home{clause[match.end() :]}"


def without_occasion(clause: str) -> str:
    """A clause without the occasion it begins with: "after the fall Rosa lives in Rome" is "Rosa lives in Rome"."""
    match = OCCASION.match(clause) or SINCE.match(clause)
    return clause if match is None else clause[match.end() :]


def with_subject(clause: str, subject: str) -> str:
    """A clause that lost its subject, with one: "moved to Riga" is "I moved to Riga"."""
    match = SUBJECTLESS.match(clause)
    subject = "they" if subject == "I" and OF_ANOTHER.match(clause) is not None else subject
    doing = match is not None and match["doing"] is not None
    be = "am" if subject == "I" else "is"
    return f"{subject} {be} {clause}" if doing else f"{subject} {clause[0].lower()}{clause[1:]}"


def line(sentence: str) -> str | None:
    """The clause that a line with a label is: "Fee: 3 euros" is "the fee is 3 euros"; None when it is no such line."""
    if any(word in sentence for word in NEW) and (newly := NEWLY.match(sentence.strip())) is not None:
        return f"{newly['who']}'s {newly['what']} is now {newly['value']}"
    if not signed(sentence):
        return None
    match = LABELLED.match(sentence.strip(" \"'"))
    if match is None or VALUE.match(match["value"]) is None:
        return None
    what, value = match["what"], match["value"]
    named = _labelled(what, asked=match["sign"] == "?")
    return None if named is None else f"{named} is {value}"


def signed(sentence: str) -> bool:
    """Whether a sentence holds a sign that may follow a label."""
    if sentence.isascii():
        return ":" in sentence or "?" in sentence or "-" in sentence
    return SIGN.search(sentence) is not None


def _labelled(what: str, *, asked: bool) -> str | None:
    """What a label names, with its owner: "Rent", "New phone number", "I have a girlfriend again"."""
    if (has := HAS.fullmatch(what)) is not None:
        return f"{'my' if has['who'] in FIRST else has['who'] + POSSESSES} {has['what']}"
    if FAVOURITE.match(what) is not None or PERSONAL.fullmatch(what) is not None:
        return f"my {what[0].lower()}{what[1:]}"
    if asked or (len(what.split()) < ENOUGH and ALONE.fullmatch(what) is None):
        return None
    return what if len(what.split()) >= ENOUGH else f"the {what.lower()}"


def _apostrophe(match: re.Match[str]) -> str:
    if (short := match[1]) is not None:
        return SHORTENED.get(short.lower(), short)  # "ı" matches "i", and is no letter of it
    return f"{match[2]}n't"
