"""Changes the key of a mind and waits at one step, to be killed there: `child.py <path> <old> <new> <step>`."""

import sys
from pathlib import Path

from noosphere.store import rekey as changing
from noosphere.store.key import read_key


def pause(name):
    """Say that a step is done, and wait when it is the one asked for."""
    if name == sys.argv[4]:
        sys.stdout.write(f"{name}\n")
        sys.stdout.flush()
        sys.stdin.readline()


def after(name, step):
    """A step that pauses when it is done."""

    def run(*arguments):
        found = step(*arguments)
        pause(name)
        return found

    return run


def main():
    path, old, new = Path(sys.argv[1]), *(read_key(key) if key else None for key in sys.argv[2:4])
    real = changing.change

    def change(*arguments):
        pause("copied")
        real(*arguments)
        pause("changed")

    changing._hold = after("held", changing._hold)
    changing.change = change
    changing._checked = after("checked", changing._checked)
    changing.rekey(path, old, new)
    pause("done")


if __name__ == "__main__":
    main()
