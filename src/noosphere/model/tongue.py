"""The language a text is written in, as far as its letters and small words tell; nothing is sent anywhere.

It is for what compares texts across languages, where a guess is better than none and none better than a wrong one.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from functools import cache
from importlib import resources

READ = 400  # characters: enough small words in any prose
LEAD = 1.2  # the votes of the best over the next, or it is not told
LETTER = 2.0  # votes of a letter that only one language here has
_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = (
    (re.compile(r"[\u3040-\u30ff]"), "ja"),  # kana; before the signs that Chinese shares
    (re.compile(r"[\uac00-\ud7af\u1100-\u11ff]"), "ko"),
    (re.compile(r"[\u3400-\u9fff\uf900-\ufaff]"), "zh"),
    (re.compile(r"[پچژگکی]"), "fa"),  # letters that Arabic does not write
    (re.compile(r"[\u0600-\u06ff]"), "ar"),
    (re.compile(r"[\u0900-\u097f]"), "hi"),
    (re.compile(r"[\u0980-\u09ff]"), "bn"),
    (re.compile(r"[\u0b80-\u0bff]"), "ta"),
    (re.compile(r"[\u0c00-\u0c7f]"), "te"),
    (re.compile(r"[\u0e00-\u0e7f]"), "th"),
    (re.compile(r"[\u0590-\u05ff]"), "he"),
    (re.compile(r"[\u0370-\u03ff]"), "el"),
)
_FOREIGN = 0.5  # of the letters: a Latin text may quote a word of another script


def tongue(text: str) -> str | None:
    """Tell the language (ISO 639-1), None when it cannot be told."""
    head = text[:READ].casefold()
    letters = sum(map(str.isalpha, head))
    for script, name in _SCRIPTS:
        if script.search(head) and sum(not _plain(c) for c in head if c.isalpha()) >= _FOREIGN * letters:
            return name
    votes = _votes(head)
    best = sorted(votes, key=lambda name: -votes[name])[:2]
    if not best or (len(best) > 1 and votes[best[0]] < LEAD * votes[best[1]]):
        return None
    return best[0]


def _plain(character: str) -> bool:
    """Whether a letter is Latin or Cyrillic."""
    return (character < "\u0530" and not "\u0370" <= character < "\u0400") or "\u1e00" <= character < "\u1f00"


def _votes(text: str) -> dict[str, float]:
    words, letters = _known()
    votes = defaultdict[str, float](float)
    for word in _WORD.findall(text):
        for name in words.get(word, ()):
            votes[name] += 1 / len(words[word])
    for letter in set(text) & letters.keys():
        votes[letters[letter]] += LETTER
    return votes


@cache
def _known() -> tuple[dict[str, list[str]], dict[str, str]]:
    """The languages of every small word, and the one of every letter that is of one alone."""
    data = tomllib.loads(resources.files("noosphere.model").joinpath("tongues.toml").read_text(encoding="utf-8"))
    words = defaultdict[str, list[str]](list)
    for name, told in data.items():
        for word in dict.fromkeys(told["words"].split()):
            words[word].append(name)
    return dict(words), {letter: name for name, told in data.items() for letter in told.get("only", "")}
