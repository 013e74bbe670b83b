"""Lexicon: the words of a language with their classes, and the cutting of a text into its tokens."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, cast

from noosphere.model.pieces import is_worth_remembering
from noosphere.model.when.calling import Calling
from noosphere.model.when.token import FLAGS, PIECES, Classes, Token, Word, number_classes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

# Its text, values, classes twice, these as it begins afresh, and what is cut off.
Piece = tuple[str, "Mapping[str, int | str]", str, int, str, int, int]
REMEMBERED = 65_536  # pieces of texts that are remembered with their classes
DIGITS_READ = 4  # longer numbers are no years, days or counts
EVERYWHERE = 1_000_000  # more than a language has words: what a capital, a space or a sign is enough for
COMPACT = 8  # digits of 20231231
ENDS = frozenset(".,;:!?()[]{}\"”»“«'’*|>…")  # a phrase may end before these
OPENERS = frozenset("([{\"“„«'‘>=~|*-–—")  # what follows these begins afresh, as after a space
SIGNS = {
    "/": "slash", "-": "dash", "–": "dash", "—": "dash", "‐": "dash", "‑": "dash", "~": "tilde", ".": "dot",
    ",": "comma", ":": "colon", "'": "apostrophe", "’": "apostrophe", "<": "less", ">": "more", "=": "equal",
    "(": "paren", "#": "hash", "$": "money", "€": "money", "£": "money", "%": "percent", "_": "underscore",
    '"': "quote", "“": "quote", "”": "quote", "„": "quote", "«": "quote", "»": "quote",
}  # fmt: skip
GIVEN = (
    "num",
    "digits",
    "short",
    "dom",
    "moy",
    "two",
    "later",
    "hour",
    "week53",
    "y4",
    "yr",
    "cap",
    "glued",
    "fresh",
    "clocked",
    "compact",
    "edge",
    "closed",
    "possessive",
    *sorted(set(SIGNS.values())),
)  # fmt: skip  (classes that need no word of a language)
READ = (
    "T",
    "Tday",
    "Tworkday",
    "Tdays",
    "Tweek",
    "Tweekend",
    "Tfortnight",
    "Tmonth",
    "Tquarter",
    "Thalf",
    "Tseason",
    "Tyear",
    "Tdecade",
    "Tcentury",
    "Topen",
    "Tyearless",
    "Tweekday",
    "Taway",
    "Tvoid",
)  # fmt: skip  (classes of phrases already read)
CALLING = (
    "month",
    "weekday",
    "weekday_s",
    "unit",
    "relday",
    "season",
    "season_s",
    "holiday",
    "decade",
    "calling",
)  # a text without a word of these names no time, unless by digits

# A token of all its fields, in half the time that `Token` takes to name them.
_made = cast("Callable[[type[Token], tuple[object, ...]], Token]", tuple.__new__)  # pyright: ignore[reportUnknownMemberType]


class Lexicon:
    """The words of a language with their classes."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        values = _values(data["values"])
        belongs = _classes(data, values)
        names = dict.fromkeys((*GIVEN, *READ, *(n for names in belongs.values() for n in names)))
        self.classes = Classes({name: number for number, name in enumerate(names)})
        self.words = {word: self.word(names, values.get(word, {})) for word, names in belongs.items()}
        for sign in ENDS | set(SIGNS):
            of_sign = [SIGNS[sign]] if sign in SIGNS else []
            self.words.setdefault(sign, self.word([*of_sign, *(["closed"] if sign in ENDS else [])]))
        self.entries = _entries(belongs)
        self.known: frozenset[str] = frozenset(data["signs"]["own"]) | belongs.keys()
        self.calling = Calling(word for word, names in belongs.items() if not set(names).isdisjoint(CALLING))
        self._edge, self._capital, self._glued = (
            self.word(("edge", "closed")),
            self.word(("cap",)),
            self.word(("glued",)),
        )
        self._fresh, self._unknown, self._compact = self.word(("fresh",)), self.word(()), self.word(("compact",))
        self._line, self._possessive = self.word(("closed",)), self.word(("possessive", "closed"))
        self._everywhere = self.classes.mask(sorted({*FLAGS, "edge", "closed", *SIGNS.values()}))
        counts = Counter(name for names in belongs.values() for name in names)
        self._counts = {self.classes.mask([name]): count for name, count in counts.items()}
        self._numbers: dict[str, Word] = {}
        self._kinds: dict[tuple[str, ...], Word] = {}  # by the classes of a number
        self._pieces: dict[str, Piece] = {}

    def word(self, names: Sequence[str], values: Mapping[str, int | str] | None = None) -> Word:
        """A word of these classes."""
        return Word(values or {}, self.classes.code(names), self.classes.mask(names))

    def how_common(self, mask: int) -> int:
        """Orders masks by how many texts have one of their classes: by the words that have one, and signs last."""
        if mask & self._everywhere:
            return EVERYWHERE
        return sum(count for bit, count in self._counts.items() if bit & mask)

    def tokens(self, text: str) -> list[Token]:
        """Cut a text into tokens, with a guard before the first and after the last."""
        found = [Token("", 0, 0, self._edge.code, self._edge.mask)]
        end = 0
        for space, raw in PIECES.findall(text.rstrip()):
            low, values, code, mask, afresh, mask_afresh, cut = self._pieces.get(raw) or self._piece(raw)
            if space or not end:
                code, mask = afresh, mask_afresh
                if "\n" in space:
                    code, mask = code + self._line.code, mask | self._line.mask
            else:
                code, mask = code + self._glued.code, mask | self._glued.mask
                if _opens(text, end - 1):
                    code, mask = code + self._fresh.code, mask | self._fresh.mask
            start = end + len(space)
            end = start + len(raw)
            found.append(_made(Token, (low, start, end - cut, code, mask, values, None)))
            if cut:
                found.append(Token("'s", end - cut, end, self._possessive.code, self._possessive.mask))
        found.append(Token("", len(text), len(text), self._edge.code, self._edge.mask))
        return self._joined(found)

    def _piece(self, raw: str) -> Piece:
        """A piece of a text, read by itself: "Monday's" is "monday", with two characters left."""
        low, cut = raw.lower().replace("’", "'"), 0
        word = self.words.get(low)
        if word is None and low.endswith("'s") and low[:-2] in self.words:
            low, word, cut = low[:-2], self.words[low[:-2]], 2
        word = word or self._of(low)
        code, mask = word.code, word.mask
        if raw[0].isupper():
            code, mask = code + self._capital.code, mask | self._capital.mask
        piece = low, word.values, code, mask, code + self._fresh.code, mask | self._fresh.mask, cut
        if is_worth_remembering(raw):
            if len(self._pieces) >= REMEMBERED:
                self._pieces = {}
            self._pieces[raw] = piece
        return piece

    def _of(self, low: str) -> Word:
        """The word of a number, or of what the language does not know."""
        if low.isdecimal() and len(low) == COMPACT and "1950" <= low[:4] < "2100":
            return self._compact
        if not low.isdecimal() or len(low) > DIGITS_READ:
            return self._unknown
        known = self._numbers.get(low)
        if known is None:
            names = number_classes(low)
            alike = self._kinds.get(names)
            if alike is None:
                alike = self._kinds[names] = self.word(names)
            known = self._numbers[low] = Word({"num": int(low)}, alike.code, alike.mask)
        return known

    def _joined(self, cut: list[Token]) -> list[Token]:
        """Entries of several words as one token each, the longest that is there."""
        entries = self.entries
        heads = [at for at, token in enumerate(cut) if token.text in entries]
        there = {at: length for at in heads if (length := self._entry_at(cut, at))}
        if not there:
            return cut
        found: list[Token] = []
        at = 0
        while at < len(cut):
            count = there.get(at, 1)
            found.append(cut[at] if count == 1 else self._join(cut[at : at + count]))
            at += count
        return found

    def _entry_at(self, cut: Sequence[Token], at: int) -> int:
        """How many words the longest entry has that begins at a token; 0 when none does."""
        second = cut[at + 1].text  # the last token is the guard, with which none begins
        for entry in self.entries[cut[at].text]:
            if entry[1] == second and entry == tuple(token.text for token in cut[at : at + len(entry)]):
                return len(entry)
        return 0

    def _join(self, parts: Sequence[Token]) -> Token:
        word = self.words[" ".join(token.text for token in parts)]
        flags = self._capital.mask | self._glued.mask | self._fresh.mask
        code = word.code + "".join(
            f.code for f in (self._capital, self._glued, self._fresh) if parts[0].mask & f.mask & flags
        )
        mask = word.mask | parts[0].mask & flags
        return Token(" ".join(t.text for t in parts), parts[0].start, parts[-1].end, code, mask, word.values)


def _opens(text: str, at: int) -> bool:
    """Whether what follows a sign begins afresh: "due:5 May" does, "10:30" does not."""
    return text[at] in OPENERS or (text[at] == ":" and not text[max(at - 1, 0)].isdecimal())


def _values(data: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, dict[str, int | str]]:
    """The values of each word by class."""
    found: dict[str, dict[str, int | str]] = {}
    for name, by_value in data.items():
        for value, words in by_value.items():
            for word in words:
                found.setdefault(word, {})[name] = int(value) if value.lstrip("-").isdecimal() else value
    return found


def _classes(data: Mapping[str, Any], values: Mapping[str, Mapping[str, int | str]]) -> dict[str, list[str]]:
    """The classes of each word: of its values, of the lists it stands in, and the unions of classes."""
    belongs: dict[str, list[str]] = {word: list(by_class) for word, by_class in values.items()}
    for name, words in data["words"].items():
        for word in words:
            belongs.setdefault(word, []).append(name)
    for name, parts in data["unions"].items():
        for names in belongs.values():
            if name not in names and not set(parts).isdisjoint(names):
                names.append(name)
    return belongs


def _entries(belongs: Mapping[str, Sequence[str]]) -> dict[str, list[tuple[str, ...]]]:
    """Entries of several words by their first word, longest first."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for entry in sorted((tuple(w.split()) for w in belongs), key=lambda e: (-len(e), e)):
        if len(entry) > 1:
            found.setdefault(entry[0], []).append(entry)
    return found
