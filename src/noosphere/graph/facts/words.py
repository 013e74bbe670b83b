"""Words in compare form: "texts" is "text", "has" is "have", "cycling" is "cycle"."""

from __future__ import annotations

from functools import cache, lru_cache

from noosphere.graph.facts.rulebook import data

DOUBLED = 2  # letters that a verb doubles before its ending: "p" in "stopping"
SHORTEST = 5  # letters of "being": a shorter word that ends in "ing" is no form of a verb


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """A word as it is compared: without the ending of a number or person; words that mean one thing here are one."""
    low = word.lower()
    plain = _irregular().get(low) or _without_s(low)
    if low.endswith(("ing", "ed")) and (verb := base(low)) in verbs():
        plain = verb
    return _alike().get(plain, plain)


@lru_cache(maxsize=1024)
def base(verb: str) -> str:
    """The plain form of a verb that ends in "ing" or "ed": "cycling" is "cycle", "stopped" is "stop"."""
    low = verb.lower()
    if (known := _irregular().get(low)) is not None:
        return known
    cut = next((low.removesuffix(end) for end in ("ing", "ed") if low.endswith(end)), None)
    if cut is None or len(low) < SHORTEST:
        return low
    single = cut[:-1] if len(cut) > DOUBLED and cut[-1] == cut[-2] else cut
    return next((one for one in (cut, f"{cut}e", single) if one in verbs()), cut)


@lru_cache(maxsize=1024)
def family(word: str) -> tuple[str, ...]:
    """A word and the words that its ending does not tell to be the same: "taken" and "take", "took", "taking"."""
    plain = stem(word)
    known = (*_irregular(), *_irregular().values(), *_alike(), *_alike().values())
    return tuple(dict.fromkeys([word.lower(), *(one for one in known if stem(one) == plain)]))


@cache
def verbs() -> frozenset[str]:
    """The verbs that are known, in compare form."""
    return frozenset(word for words in data()["verbs"].values() for word in words)


def happened(clause: str) -> bool:
    """Whether a clause tells of something that happened, by the first word in it that is known for a verb."""
    for word in clause.lower().split()[1:]:
        if word in _past() or (word.endswith("ed") and base(word) in verbs()):
            return True
        if stem(word) in verbs():
            return False
    return False


@cache
def _past() -> frozenset[str]:
    return frozenset(data()["past"]["forms"].split())


def _without_s(low: str) -> str:
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("s", "")):
        if low.endswith(ending) and len(low) > len(ending) + 2 and not low.endswith(("ss", "us", "is")):
            return low.removesuffix(ending) + instead
    return low


@cache
def _irregular() -> dict[str, str]:
    """Forms of a word that its ending does not tell, each with what stands for all of them."""
    return {form: stem for stem, forms in data()["irregular"].items() for form in forms.split()}


@cache
def _alike() -> dict[str, str]:
    """Words that say the same here, each with the first of them."""
    return {word: words[0] for words in map(str.split, data()["compared"]["alike"]) for word in words[1:]}
