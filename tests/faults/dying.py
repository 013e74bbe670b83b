"""Forks a child for every line `<kind> <path> <id> <tick>`: it does one thing to a mind and dies at that tick.

A tick is a hundred steps of SQLite's machine, so children die inside statements too. The answer to each line is
`<ticks>` when the child came to its end, and `killed` when it died.
"""

import os
import signal
import sys
from functools import partial
from pathlib import Path

from dying_child import in_child

from minds import hashed, open_on

STEPS = 100


def there_and_back(mind):
    """Another model serves, something is said meanwhile, and the first one comes back to it."""
    mind.models.use("static")
    mind.remember("new8z is said while another model serves")
    mind.models.use(hashed().space.name)
    mind.flush()


KINDS = {
    "revise": lambda mind, memory, _: mind.revise(memory, "revised7y lies elsewhere now"),
    "forget": lambda mind, memory, _: mind.forget(memory),
    "undo": lambda mind, memory, _: mind.undo(mind.journal(target=memory)[0].id),
    "purge": lambda mind, memory, _: mind.purge(memory),
    "reembed": lambda mind, _, __: (mind.models.reembed(), mind.flush()),
    "swap": lambda mind, _, __: there_and_back(mind),
    "backup": lambda mind, _, path: mind.backup(path.with_name("copy.db")),
}


def act(kind, path, memory, last):
    """Do it; returns how many ticks it took."""
    seen = 0

    def tick():
        nonlocal seen
        seen += 1
        if seen == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return False

    with open_on(path, embedder=hashed()) as mind:
        mind.flush()
        with mind._file.db.use() as connection:
            connection.set_progress_handler(tick, STEPS)
        KINDS[kind](mind, memory, path)
    return seen


def main():
    for line in sys.stdin:
        kind, path, memory, last = line.rstrip("\n").split("\t")
        in_child(partial(act, kind, Path(path), memory, int(last)))


if __name__ == "__main__":
    main()
