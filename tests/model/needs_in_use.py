"""`python -m tests.model.needs_in_use` writes the file of what the patterns of rules need; run it after a change."""

import json
import tempfile
from pathlib import Path

import noosphere
from noosphere.guard import rulebook as screening
from noosphere.guard.secrets import secret_rules
from noosphere.model import needs

FILE = Path(needs.__file__).with_name("needs.json")
TEXTS = [
    "We moved pricing to per-seat in May 2024, and Tom took over as the lead. I no longer live in Riga.",
    "Sorry, I meant 40, not 50. It used to be three euros; now it works again, and I have two cats.",
    "The standup moved from Monday to 10:15, so the rent is now 900 euros until further notice.",
]


def in_use() -> dict[str, list[list[str]]]:
    """What each pattern of the rules needs, by its key; read off anew, in a process that has read no rule yet."""
    found: dict[str, list[list[str]]] = {}
    read_off = needs.read_off

    def noted(pattern):
        told = read_off(pattern)
        found[needs.key_of(pattern)] = [sorted(need) for need in told]
        return told

    needs.read_off, needs._told = noted, dict
    quiet = noosphere.Settings(background=False, semantic="off")
    with tempfile.TemporaryDirectory() as folder, noosphere.open_mind(Path(folder) / "m.db", settings=quiet) as mind:
        mind.remember_many(TEXTS)
    for rule in (*secret_rules(), *(form for _, form in screening.rulebook().forms)):
        assert rule.compiled
    return dict(sorted(found.items()))


def written(told) -> str:
    """The file, a pattern a line."""
    return (
        "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(told[key], ensure_ascii=False)}" for key in told) + "\n}\n"
    )


if __name__ == "__main__":
    FILE.write_text(written(in_use()), encoding="utf-8")
