"""How a file of JSON opens, also when odd things stand before its first record."""

from __future__ import annotations

import re

_ODD = r"(?:null|true|false|-?\d[\d.eE+-]{0,30}|\"(?:[^\"\\\n]|\\.){0,500}\"|\[\s{0,9}\]|\{\s{0,9}\})"
LIST = rf"\s*\[\s*(?:{_ODD}\s*,\s*){{0,50}}"
JSON = re.compile(rf"{LIST}(?:[\[{{\]]|null)|\s*\{{\s*\"")  # a note that quotes an export is no export
RECORDS = re.compile(rf"{LIST}\{{|\s*\{{\s*\"")
