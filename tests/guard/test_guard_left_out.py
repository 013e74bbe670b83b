"""Rules that a text cannot meet are not tried; the verdict is that of trying all of them."""

import random
import tomllib
import zlib
from importlib import resources

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noosphere.guard import reading, screen, secrets
from noosphere.guard.rulebook import FAMILIES, Rulebook
from noosphere.model.literals import Literals
from noosphere.model.needs import Sought
from noosphere.model.worded import Worded

FOLDER = resources.files("noosphere.guard")
FILES = [*(FOLDER.joinpath("rules", f"{name}.toml") for name in FAMILIES), FOLDER.joinpath("secrets.toml")]
RULES = [rule for file in FILES for rule in tomllib.loads(file.read_text(encoding="utf-8"))["rule"]]
EXAMPLES = [said.replace("~", "") for rule in RULES for said in (*rule["yes"], *rule["no"])]
LEET, CYRILLIC = str.maketrans("aeiost", "4310$7"), str.maketrans("aeopcxy", "аеорсху")
DISGUISES = [
    str.upper,
    " ".join,
    lambda s: s.translate(LEET),
    lambda s: s.translate(CYRILLIC),
    lambda s: s.replace(" ", ""),
    lambda s: s[::-1],
    lambda s: "".join(c * 2 for c in s),
    lambda s: f"<!-- {s} -->",
    lambda s: "\n".join([s] * 12),
    lambda s: "".join(random.Random(7).sample(s, len(s))),
    lambda s: " ".join(random.Random(7).sample(s.split(), len(s.split()))),
    lambda s: s.replace("e", "é").replace(" ", "\u200b "),
]
PATCHES = pytest.MonkeyPatch


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples_get_the_verdict_of_trying_every_rule(text: str, monkeypatch: PATCHES) -> None:
    _same(text, monkeypatch)


@given(st.sampled_from(EXAMPLES), st.sampled_from(DISGUISES), st.sampled_from(EXAMPLES), st.integers(0, 300))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_disguised_joined_and_cut_texts_too(monkeypatch: PATCHES, one: str, disguise, other: str, cut: int) -> None:
    _same(disguise(one), monkeypatch)
    _same(disguise(one)[:cut] + " " + other[cut // 2 :], monkeypatch)


@given(st.text(st.sampled_from("ab1 é🙂\n"), max_size=12), st.integers(1, 300), st.text(max_size=60))
def test_a_block_shrinks_to_the_same_size_in_the_small_window(unit: str, times: int, rest: str) -> None:
    block = (unit * times + rest)[: screen.BLOCK].encode("utf-8", "replace")
    usual = len(zlib.compress(block, 1))
    assert screen._shrunk(block, screen.USUAL) == usual
    assert screen._repeats(block) == (usual < screen.FLOODED * len(block))


@given(st.lists(st.lists(st.text(st.sampled_from("ab1-_:é "), min_size=1, max_size=4), max_size=4)), st.text())
def test_a_group_of_literals_is_open_where_one_of_them_stands(groups: list[list[str]], text: str) -> None:
    lower = text.lower() + " ab-1:é"
    wanted = [n for n, group in enumerate(groups) if not group or any(literal in lower for literal in group)]
    assert Literals(groups).open(Worded(lower)) == wanted


def _same(text: str, monkeypatch: PATCHES) -> None:
    quick = screen.screen(text), secrets.find_secrets(text)
    with monkeypatch.context() as patch:
        patch.setattr(Sought, "may_match", lambda *_given: True)
        patch.setattr(Literals, "open", _every_group)
        patch.setattr(screen, "glance", _long_look)
        patch.setattr(secrets.SecretRule, "shows", lambda *_given: True)
        slow = screen.screen(text), secrets.find_secrets(text)
    assert quick[1] == slow[1]
    assert (quick[0].hits, quick[0].hostile) == (slow[0].hits, slow[0].hostile)
    assert quick[0].score == pytest.approx(slow[0].score)


def _every_group(self: Literals, told: Worded) -> list[int]:
    return [n for n, group in enumerate(self._groups) if not group or any(literal in told.lower for literal in group)]


def _long_look(text: str, folded: str, words: frozenset[str], rules: Rulebook) -> reading.Glance:
    """What `glance` tells, word by word: what is not plain ASCII, or has an odd word in it, is always read."""
    letters = {word for word in words if len(word) == 1}
    telling = (
        not text.isascii()
        or len(letters) > reading.SPELLED
        or len(letters - reading.COMMON_LETTERS) > 1
        or reading.LEETED.search(folded) is not None
        or any(reading._is_odd(word, rules) for word in words - rules.vocabulary if len(word) > 1)
        or any(
            all(not rules.fills[element].isdisjoint(words) for element in phrase.elements)
            for entries in rules.keyed.values()
            for _, phrase in entries
        )
    )
    signs = (*reading.SIGNS, *reading.SIGNS_IN_WORDS)
    layered = (
        max(map(len, words), default=0) >= reading.LONG
        or not words.isdisjoint(reading.SPACES)
        or any(sign in folded for sign in signs)
    )
    return reading.Glance(layered, turned=len(words & rules.turned) > 1, telling=telling)
