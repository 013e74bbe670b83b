"""A process that purges one memory and dies at the nth statement: `python purging.py <path> <id> <n>`."""

import os
import signal
import sys
from pathlib import Path

from minds import open_on


def main(path, memory, last):
    """Purge, unless killed before; says how many statements it took."""
    with open_on(Path(path)) as mind:
        mind.flush()
        seen = 0

        def count(_cursor, _statement, _bindings):
            nonlocal seen
            seen += 1
            if seen == last:
                os.kill(os.getpid(), signal.SIGKILL)
            return True

        with mind._file.db.use() as connection:
            connection.exec_trace = count
        mind.purge(memory)
        sys.stdout.write(f"{seen}\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
