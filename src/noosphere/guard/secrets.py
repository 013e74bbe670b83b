"""Secrets: keys, tokens, passwords and cards inside a text, found by rules, and taken out when asked."""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING

from noosphere.model.literals import Literals
from noosphere.model.needs import Sought
from noosphere.model.worded import worded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

RANDOM_LENGTH = 14  # characters from which a random string is told from a word
BITS = 3.0  # a character of a random string; words and names joined by dashes stay below with their few digits
DIGIT_SHARE = 0.06  # of a random string are digits; names of things have hardly any
GROUP = 5  # letters in a row that make a part of a string a word
WORDY = 0.6  # the share of such parts from which a string is made of words
CARD_LENGTHS = frozenset({13, 14, 15, 16, 19})
ISSUERS = re.compile(r"4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|6(?:011|4[4-9]|5)|35(?:2[89]|[3-8])|62")
MASKED = re.compile(r"^[*•xX.#_-]+$")
CODE = re.compile(r"[${<(\[]|%\w|^\w+(?:\.\w+)+$|://")


@dataclass(frozen=True, slots=True)
class Secret:
    """One secret: the rule that found it, and where it stands in the text."""

    rule: str
    start: int
    end: int


@dataclass(frozen=True)
class SecretRule:
    """A kind of secret.

    Attributes:
        literals: lower case; one of them must stand in the text. None needs none.
        signs: patterns that are quick to look for, of which one is met wherever this one is; none when there are none.
        pattern: what it looks like.
        check: tells a match from what only looks like one, when there is something to tell.
    """

    id: str
    reason: str
    literals: tuple[str, ...]
    signs: tuple[str, ...]
    pattern: str
    check: Callable[[str], bool] | None

    @cached_property
    def compiled(self) -> Sought:
        """The pattern, compiled when first needed."""
        return Sought(re.compile(self.pattern))

    def shows(self, text: str) -> bool:
        """Whether a text shows a sign of it."""
        return any(sign.search(text) is not None for sign in self._signs)

    @cached_property
    def _signs(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(sign) for sign in self.signs)


@cache
def secret_rules() -> tuple[SecretRule, ...]:
    """The rules in force, read when first asked."""
    data = tomllib.loads(resources.files("noosphere.guard").joinpath("secrets.toml").read_text(encoding="utf-8"))
    placeholders = frozenset(data["placeholders"]["words"].split())
    checks: Mapping[str, Callable[[str], bool]] = {
        "random": is_random,
        "card": is_card,
        "given": lambda value: _is_given(value, placeholders),
    }
    return tuple(
        SecretRule(
            r["id"],
            r["reason"],
            tuple(r.get("with", ())),
            tuple(r.get("signs", ())),
            r["form"],
            checks.get(r.get("check", "")),
        )
        for r in data["rule"]
    )


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Every secret in a text, in order; none overlaps another."""
    if not text:
        return ()
    found: list[Secret] = []
    rules, told = secret_rules(), worded(text)
    for rule in [rules[n] for n in _literals().open(told)]:
        if not (rule.shows(text) if rule.signs else rule.compiled.may_match(told)):
            continue
        for match in rule.compiled.pattern.finditer(text):
            start, end = _place(match)
            if rule.check is None or rule.check(text[start:end]):
                found.append(Secret(rule.id, start, end))
    return _apart(found)


@cache
def _literals() -> Literals:
    """Tells which rules a text can meet."""
    return Literals(rule.literals for rule in secret_rules())


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with a note in place of every secret, and the rules that found them."""
    secrets = find_secrets(text)
    parts: list[str] = []
    last = 0
    for secret in secrets:
        parts += [text[last : secret.start], f"[redacted: {secret.rule}]"]
        last = secret.end
    return "".join([*parts, text[last:]]), tuple(dict.fromkeys(secret.rule for secret in secrets))


def is_random(value: str) -> bool:
    """Whether a string was drawn rather than written: it has digits among letters, and is not made of words."""
    value = re.sub(r"%[0-9A-Fa-f]{2}", "", value)
    digits = sum(c.isdigit() for c in value)
    if len(value) < RANDOM_LENGTH or digits < max(1, DIGIT_SHARE * len(value)) or digits == len(value):
        return False
    parts = re.findall(r"[A-Za-z0-9]+", value)
    wordy = sum(len(p) for p in parts if _is_word(p))
    return wordy < WORDY * sum(map(len, parts)) and entropy(value) >= BITS


def entropy(value: str) -> float:
    """Bits a character, from how often each one stands in the string."""
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())


def is_card(value: str) -> bool:
    """Whether digits are the number of a payment card: a known issuer, a right length, and the Luhn sum."""
    digits = [int(c) for c in value if c.isdigit()]
    if len(digits) not in CARD_LENGTHS or not ISSUERS.match("".join(map(str, digits))):
        return False
    doubled = [sum(divmod(2 * d, 10)) for d in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _is_word(part: str) -> bool:
    return part.isdigit() or (part.isalpha() and (part.islower() or part.isupper() or part[1:].islower()))


def _is_given(value: str, placeholders: frozenset[str]) -> bool:
    """Whether a value is one, and not a placeholder, a piece of code or the next word of a sentence."""
    quoted = value[0] in "\"'`"
    bare = value.strip("\"'`").rstrip(".,;:!?)]}")
    if len(bare) < GROUP - 1 or MASKED.match(bare) or CODE.search(bare):
        return False
    words = re.findall(r"[^\W\d_]+", bare.lower())
    if words and all(word in placeholders for word in words):
        return False
    odd = any(not c.isalpha() for c in bare) or not (bare.islower() or bare.istitle() or bare.isupper())
    return odd or quoted


def _place(match: re.Match[str]) -> tuple[int, int]:
    """Where the secret itself stands in a match."""
    named = next((name for name in ("secret", "hex", "pass") if match.groupdict().get(name)), None)
    start, end = match.span(named) if named else match.span()
    return start, end


def _apart(found: list[Secret]) -> tuple[Secret, ...]:
    """The widest of those that overlap."""
    kept: list[Secret] = []
    for secret in sorted(found, key=lambda s: (s.start, -s.end, s.rule)):
        if not kept or secret.start >= kept[-1].end:
            kept.append(secret)
        elif secret.end > kept[-1].end:
            kept[-1] = Secret(kept[-1].rule, kept[-1].start, secret.end)
    return tuple(kept)
