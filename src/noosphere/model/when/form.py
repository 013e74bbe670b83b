"""Forms: the shape of a phrase over classes of tokens, compiled to a regular expression.

A form is a row of elements. `month` is a token of that class, `month&cap` of both, `month&!cap` not of the second;
`x?` may be missing, `( a b | c )` are alternatives, `a:x` names what was caught, `@count` is a macro of the language.
The phrase stands between `[` and `]`; what is before it must be there too, what is after it is only looked at.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from noosphere.model.when.token import FIRST_CODE
from noosphere.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from noosphere.model.when.token import Classes

END = ";"  # of a token's code
MACRO = re.compile(r"@(\w+)(\??)")


@dataclass(frozen=True, slots=True)
class Form:
    """A compiled form.

    Attributes:
        source: the regular expression.
        labels: which groups hold what each name caught.
        needs: masks, of each of which a text must have at least one bit.
    """

    source: str
    labels: Mapping[str, tuple[str, ...]]
    needs: tuple[int, ...]


class FormCompiler:
    """Compiles the forms of one language."""

    def __init__(self, classes: Classes, macros: Mapping[str, str]) -> None:
        self._classes = classes
        self._macros = macros
        self._labels: dict[str, list[str]] = {}
        self._groups = 0
        self._quiet = False  # inside a named group tokens have no names of their own

    def compile(self, form: str) -> Form:
        """Compile a form.

        Raises:
            ValueError: it is malformed, or names an unknown class or macro.
        """
        self._labels, self._groups = {}, 0
        words = self._expand(form).split()
        opened, closed = words.index("["), words.index("]")
        before, phrase, after = words[:opened], words[opened + 1 : closed], words[closed + 1 :]
        lead, needs_lead = self._row(before)
        body, needs_body = self._row(phrase)
        tail, needs_tail = self._row(after)
        source = f"(?<![^{END}]){lead}(?P<phrase>{body})" + (f"(?={tail})" if tail else "")
        labels = {name: tuple(groups) for name, groups in self._labels.items()}
        return Form(source, labels, tuple(dict.fromkeys((*needs_lead, *needs_body, *needs_tail))))

    def _expand(self, form: str) -> str:
        while "@" in form:
            form = MACRO.sub(lambda found: f"( {self._macros[found[1]]} ){found[2]}", form)
        return form

    def _row(self, words: list[str]) -> tuple[str, list[int]]:
        parts: list[str] = []
        needs: list[int] = []
        at = 0
        while at < len(words):
            word = words[at]
            label, _, rest = word.rpartition(":")
            if rest == "(":
                stop = self._closing(words, at)
                quiet, self._quiet = self._quiet, self._quiet or bool(label)
                source, needed = self._alternatives(words[at + 1 : stop])
                self._quiet = quiet
                optional = words[stop] == ")?"
                at = stop
            else:
                optional = rest.endswith("?")
                source, needed = self._token(rest.removesuffix("?"))
                label = label or ("" if self._quiet else _label(rest.removesuffix("?")))
            if label and not label.startswith("!"):
                source = self._capture(label, source)
            parts.append(f"(?:{source})?" if optional else source)
            needs += [] if optional else needed
            at += 1
        return "".join(parts), needs

    def _alternatives(self, words: list[str]) -> tuple[str, list[int]]:
        rows: list[list[str]] = [[]]
        depth = 0
        for word in words:
            depth += word.endswith("(")
            depth -= word.startswith(")")
            if word == "|" and depth == 0:
                rows.append([])
            else:
                rows[-1].append(word)
        read = [self._row(row) for row in rows]
        needs = read[0][1] if len(read) == 1 else self._one_of([n for _, n in read])
        return "(?:" + "|".join(source for source, _ in read) + ")", needs

    @staticmethod
    def _one_of(needs: list[list[int]]) -> list[int]:
        """What alternatives need together: what each of them needs, and one bit of the first need of any."""
        if not all(needs):
            return []
        mask = 0
        for row in needs:
            mask |= row[0]
        return [*(need for need in needs[0] if all(need in row for row in needs)), mask]

    @staticmethod
    def _closing(words: list[str], opened: int) -> int:
        depth = 0
        for at in range(opened, len(words)):
            depth += words[at].endswith("(")
            depth -= words[at].startswith(")")
            if depth == 0:
                return at
        raise ValueError(words)

    def _token(self, conjunction: str) -> tuple[str, list[int]]:
        source, needs = "", list[int]()
        for name in conjunction.split("&"):
            number = self._classes.numbers.get(name.removeprefix("!"))
            if number is None:
                raise ValueError(f"{name} is no class of this language")
            kind = "!" if name.startswith("!") else "="
            source += f"(?{kind}[^{END}]*{chr(FIRST_CODE + number)})"
            if kind == "=":
                needs.append(1 << number)
        return f"{source}[^{END}]*{END}", needs

    def _capture(self, label: str, source: str) -> str:
        group = f"g{self._groups}"
        self._groups += 1
        self._labels.setdefault(label, []).append(group)
        return f"(?P<{group}>{source})"


def _label(conjunction: str) -> str:
    """What a token is called when the form does not say: its first class, and T for every phrase already read."""
    name = conjunction.split("&", maxsplit=1)[0]
    return "T" if name[0] == "T" else name
