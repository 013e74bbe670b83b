"""found_relations: what a text says about how its names bear on each other."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from noosphere.graph.names.noise import noise
from noosphere.graph.ontology import default_ontology
from noosphere.graph.relations.forms import forms
from noosphere.graph.relations.stand_ins import stand_ins
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from noosphere.graph.names import Mention
    from noosphere.graph.ontology import Ontology
    from noosphere.graph.relations.forms import Form

MAX_GAP = 140  # characters between two names of a relation
AND = re.compile(
    r",? (?:and|&|und|y|et|e|en|och|og|i|и|sowie) (?:(?:the|our|also|von|sur|auf|on|in|with) )?|, (?:the )?"
)
CARRY = re.compile(r",? (?:and|but|und|y|et|e|ed|och|og|и)(?: (?:also|now|still|then|currently))* (?=\S)")
WHO = re.compile(r",? (?:who|which|that|die|der|das|qui|que|che)(?: (?:in turn|also|now|still))* ")
RETURNS = re.compile(r", (?=(?:is|was|are|were|has|had|will|can|lives?|works?|uses?|[a-z]{3,}(?:s|ed)) )")
REPLACED = re.compile(r" (?:has |have )?(?:replaced|replaces|swapped|swaps) ")
AGAIN = re.compile(r" (?:for|as|to \w+) (?:[\w'’-]+ ){1,5}(?:and|und|et|y) (?:the )?")
ITSELF = re.compile(r"(?:[;,]|,? and|,? but|, so|\\.) (?:it|she|he|they|its|her|his|their) ")
ASIDES = re.compile(r"^ \d+(?:\.\d+)*(?=\W)| instead of \w+| rather than \w+| \([^)]{1,40}\)")
CLOSED = re.compile(
    r", (?:an?|the|our|my|its|their|eine?|une?|una|un) [^,]{2,60}"
    r"(?=, (?:is|was|are|has|uses|depends|runs|needs|leads|reports)\b),"
)
MOVED = re.compile(
    r" (?:has |have |is |was |were |has been |are )?"
    r"(?:(?P<gone>moved|relocated|moving|moves)|migrated|switched|ported|converted|changed|migrating|switching) from "
)
ASIDE = re.compile(r", (?:a|an|the|our|my|its|their|eine?|une?|una|un)\b")
PHRASE = re.compile(r"(?:, | \w+){0,2} (?:of|in|at|near|from|for) (?:the )?")
DOES = re.compile(r" (?!(?:at|of|in|from|on|and|or|with|for|near|by|to)\b)[a-z]")
BEFORE = 100  # characters before a name that may say how it stands there
INSIDE = re.compile(r"\b(?:of|by|with|to|than|like|without|about|against|for|from|via) (?:the )?(?:[a-z]+ )?$")
BODY = re.compile(
    r"\b(?:board|council|members?|committee|management|team|trustees|head|staff|people|city|parish|town) of (?:the )?$"
)
SUPPOSED = re.compile(
    r"^\W*(?:if|suppose|imagine|let['’]?s say|what if|maybe|perhaps|should|would|could|can|does|do|is|are|did|who|"
    r"what|neither|whether|unless|nobody|no one|none of)\b"
    r"|\b(?:pretend|rumou?r|supposedly|allegedly|hypothetically|would have|might|wish|whether)\b",
    re.IGNORECASE,
)

BELIEVED = re.compile(
    r"\b(?:thinks?|thought|believes?|believed|assumes?|assumed|guess(?:es|ed)?|hopes?|hoped|claims?|claimed|doubts?|"
    r"suspects?|suspected|pretends?|dreams?|imagines?|wonders?)(?: that| if)? (?:the |our )?$",
    re.IGNORECASE,
)
OPENING = re.compile(
    r"(?:^|[.!?:] )\W*(?:instead of|without|unlike|for|in|with|at|under|besides|apart from|like|after|before|since|"
    r"thanks to|according to|by|on|except) (?:[a-z]+ ){0,2}$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Found:
    """A relation between two names, each by its place in the list of mentions."""

    src: int
    type: str
    dst: int
    form: str


class Place(NamedTuple):
    """One or several names that stand together, as one end of a relation."""

    start: int
    end: int
    who: tuple[int, ...]


def found_relations(
    text: str, names: Sequence[Mention], ontology: Ontology | None = None
) -> tuple[list[Found], list[Mention]]:
    """The relations stated in a text, and its names with the types that they tell.

    Args:
        text: what was said.
        names: its names, as `found_names` gives them.
        ontology: what may be joined; the default one when None.
    """
    rules = ontology or default_ontology()
    typed, found = list(names), dict[tuple[str, str, str], Found]()
    counts = Counter(one.sentence for one in names)
    for number, count in counts.items():
        if count == 1 and number - 1 not in counts:
            continue  # nothing that a name could bear on
        start, end = _bounds(text, names, number)
        if SUPPOSED.search(text[start:end]) or text[start:end].rstrip("\"'”) \n").endswith("?"):
            continue
        places = _together(
            text, [*_places(names, number), *(Place(*s) for s in stand_ins(text, names, number, start))], names
        )
        for one in _stated(text, start, places, typed, rules):
            found.setdefault((names[one.src].key, one.type, names[one.dst].key), one)
    return list(found.values()), _settled(typed)


def _bounds(text: str, names: Sequence[Mention], number: int) -> tuple[int, int]:
    here = [one.span for one in names if one.sentence == number]
    before = [one.span[1] for one in names if one.sentence < number]
    start = max(
        (text.rfind(mark, before[-1] if before else 0, here[0][0]) + 1 for mark in (". ", "! ", "? ", "\n")), default=0
    )
    stop = re.compile(r"[.!?](?=\s|$)|\n|$").search(text, here[-1][1])
    return max(start, before[-1] if before else 0), len(text) if stop is None else stop.end()


def _places(names: Sequence[Mention], number: int) -> list[Place]:
    """Its names, without those short capitals that are no entity: "the CEO of"."""
    here = [(n, one) for n, one in enumerate(names) if one.sentence == number]
    return [Place(*one.span, (n,)) for n, one in here if not one.name.isupper() or one.known or noise(one.name) is None]


def _together(text: str, places: list[Place], names: Sequence[Mention]) -> list[Place]:
    """Join names that are listed: "Ana, Ben and Chidi"."""
    found: list[Place] = []
    for place in sorted(places):
        last = found[-1] if found else None
        if last is not None and place.start < last.end:
            continue
        if last is not None and _listed(text, last, place) and _alike(last, place, names):
            found[-1] = Place(last.start, place.end, (*last.who, *place.who))
        else:
            found.append(place)
    return found


def _listed(text: str, last: Place, place: Place) -> bool:
    """Whether two names stand in a list: not "Instead of Redis, Lumen …", where a comma ends what opens a sentence."""
    if AND.fullmatch(text, last.end, place.start) is None:
        return False
    comma = text[last.end : place.start] == ", " and len(last.who) == 1
    return not (comma and OPENING.search(text[max(0, last.start - BEFORE) : last.start]))


def _alike(one: Place, other: Place, names: Sequence[Mention]) -> bool:
    if names[one.who[-1]].key == names[other.who[0]].key:
        return False
    a, b = (names[place.who[-1]].type for place in (one, other))
    return (a == "person") == (b == "person") and (a == "location") == (b == "location")


def _stated(text: str, start: int, places: list[Place], typed: list[Mention], rules: Ontology) -> Iterator[Found]:
    subject: Place | None = places[0] if places else None
    last: tuple[Form, Place] | None = None
    for n in range(1, len(places)):
        gap = ASIDES.sub("", text[places[n - 1].end : places[n].start])
        if len(gap) > MAX_GAP:
            last = None
            continue
        if last is not None and AGAIN.fullmatch(gap):
            yield from _between(last[0], last[1], places[n], typed, rules)
            continue
        for left, said, carried in _readings(text, gap, places, n, subject):
            form = _form(text, start, left, said, places[n], typed, rules, carried=carried)
            if form is not None:
                yield from _between(form, left, places[n], typed, rules)
                subject, last = (subject if form.sure else left), (form, left)
                break
        else:
            last = None


def _readings(
    text: str, gap: str, places: list[Place], n: int, subject: Place | None
) -> Iterator[tuple[Place, str, bool]]:
    """What may stand before the second name of a relation, what stands between, and whether it says who acts."""
    left = places[n - 1]
    who, carry, aside = WHO.match(gap), CARRY.match(gap), CLOSED.match(gap)
    again = ITSELF.search(gap)
    if again is not None and subject is not None:
        yield subject, " " + gap[again.end() :], True
    if who is not None:
        yield left, " " + gap[who.end() :], True
    elif carry is not None and subject is not None:
        yield subject, " " + gap[carry.end() :], True
    elif aside is not None:
        yield left, gap[aside.end() :], True
    elif n > 1:
        yield from _of_earlier(text, gap, places[n - 2], left)
    yield left, gap, False
    if subject is not None and subject is not left:
        yield from _of_subject(text, gap, left, subject)
    if gap.startswith(", "):
        for earlier in places[: n - 1]:
            if ASIDE.match(text, earlier.end):
                yield earlier, gap[1:], True
                break
        yield left, gap[1:], False


def _of_earlier(text: str, gap: str, earlier: Place, left: Place) -> Iterator[tuple[Place, str, bool]]:
    """What the name before the last one does: "moved from A to", "replaced A with", "…, who leads A, is"."""
    if gap in (" to ", " nach ") and (moved := MOVED.fullmatch(text, earlier.end, left.start)):
        yield earlier, " moved to " if moved["gone"] else " migrated to ", True
    elif RETURNS.match(gap) and WHO.match(text, earlier.end, left.start):
        yield earlier, gap[1:], True
    elif gap in (" with ", " for ", " by ") and REPLACED.fullmatch(text, earlier.end, left.start):
        yield earlier, " migrated to ", True


def _of_subject(text: str, gap: str, left: Place, subject: Place) -> Iterator[tuple[Place, str, bool]]:
    """What the subject may do though another name stands between: "the school in Boise adopted", "…, uses"."""
    if PHRASE.fullmatch(text, subject.end, left.start) is not None and DOES.match(gap) is not None:
        yield subject, gap, True
    if re.match(r", \w+s\b ", gap):
        yield subject, gap[1:], True


def _form(
    text: str, start: int, left: Place, said: str, right: Place, typed: list[Mention], rules: Ontology, *, carried: bool
) -> Form | None:
    inside = INSIDE.search(text, max(start, left.start - BEFORE), left.start)
    held = inside is not None and inside.end() == left.start and not _of_body(text, start, left)
    if BELIEVED.search(text[max(start, left.start - BEFORE) : left.start]) is not None:
        return None
    fitting = [form for form in forms() if form.between.fullmatch(said) is not None]
    fitting = [form for form in fitting if _stands(form, text, start, left, right)]
    owned = text[right.end : right.end + 2] in ("'s", "’s")
    for form, exact in [*((form, True) for form in fitting), *((form, False) for form in fitting)]:
        attaches = form.src == ("person",) or form.sure
        if (
            (carried and form.sure)
            or (held and not attaches and not carried and form.ahead is None)
            or (owned and form.tail is None and form.type not in ("located_in", "affiliated_with"))
        ):
            continue
        ends = [_ends(form, a, b, typed, rules) for a in left.who for b in right.who]
        if any(e is not None and (not exact or (typed[e[0]].type, typed[e[1]].type) == e[2:]) for e in ends):
            return form
    return None


def _stands(form: Form, text: str, start: int, left: Place, right: Place) -> bool:
    """Whether what stands before and after the two names is as a form wants it."""
    before = text[max(start, left.start - BEFORE) : left.start]
    if form.behind is not None and form.behind.search(before) is not None:
        return False
    if form.ahead is not None and form.ahead.search(before) is None:
        return False
    return form.tail is None or form.tail.match(text, right.end) is not None


def _of_body(text: str, start: int, left: Place) -> bool:
    body = BODY.search(text, max(start, left.start - BEFORE), left.start)
    return body is not None and body.end() == left.start


def _between(form: Form, left: Place, right: Place, typed: list[Mention], rules: Ontology) -> Iterator[Found]:
    for a in left.who:
        for b in right.who:
            ends = _ends(form, a, b, typed, rules)
            if ends is None or typed[a].key == typed[b].key:
                continue
            src, dst, src_type, dst_type = ends
            for one, type_ in ((src, src_type), (dst, dst_type)):
                if typed[one].type != type_:
                    typed[one] = replace(typed[one], type=type_, sure=True)
            yield Found(src, form.type, dst, form.id)


def _ends(form: Form, a: int, b: int, typed: list[Mention], rules: Ontology) -> tuple[int, int, str, str] | None:
    """The two ends in order, with the types that the form gives them; None when they cannot have them."""
    src, dst = (b, a) if form.turned else (a, b)
    relation = rules.relations.get(form.type)
    if relation is None:
        return None
    types: list[str] = []
    if form.told is not None and not _is_told(form, typed[src], typed[dst]):
        return None
    for one, wanted in ((typed[src], form.src or relation.src), (typed[dst], form.dst or relation.dst)):
        if not wanted:
            types.append(one.type)
        elif one.sure or form.sure:
            if one.type not in wanted or not one.sure:
                return None
            types.append(one.type)
        else:
            types.append(one.type if one.type in wanted and one.type != "concept" else wanted[0])
    return None if relation.forbids(*types) else (src, dst, types[0], types[1])


def _is_told(form: Form, src: Mention, dst: Mention) -> bool:
    """Whether the ends have the types of a form without it, and for certain where it wants that."""
    ends = ((src, form.src, "src"), (dst, form.dst, "dst"))
    return all(one.type in wanted and (one.sure or form.told not in (end, "both")) for one, wanted, end in ends)


def _settled(typed: list[Mention]) -> list[Mention]:
    """Names with the type that a relation told, wherever they stand."""
    told = {one.key: one for one in typed if one.sure}
    return [
        one if (best := told.get(one.key, one)) is one else replace(one, type=best.type, sure=True) for one in typed
    ]
