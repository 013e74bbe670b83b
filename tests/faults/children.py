"""Starting, following and killing the children of the fault tests."""

import json
import mmap
import os
import signal
import subprocess
import sys
from pathlib import Path

from child import OUTSIDE

SCRIPT = Path(__file__).with_name("child.py")


class Child:
    """A process that runs one task of child.py."""

    def __init__(self, task, path, seed=0, *, folder=None, **environment):
        self.marker_file = (folder or Path(path).parent) / f"{task}-{seed}.marker"
        self.marker_file.write_bytes(bytes([OUTSIDE]))
        with self.marker_file.open("r+b") as file:
            self._byte = mmap.mmap(file.fileno(), 1)
        self._process = subprocess.Popen(
            [sys.executable, str(SCRIPT), task, str(path), str(seed), str(self.marker_file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **environment},
        )
        self.pid = self._process.pid
        self.said = []

    @property
    def state(self):
        """Where the child is now, or where it died."""
        return self._byte[0]

    def tell(self, state):
        """Set the byte that the child looks at."""
        self._byte[0] = state

    def start(self):
        """Let a child that waits begin."""
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()

    def next(self):
        """The next thing it says; None when it has ended."""
        line = self._process.stdout.readline()
        if not line:
            return None
        said = json.loads(line)
        self.said.append(said)
        return said

    def next_of(self, *what):
        """The next of certain things it says; None when it has ended before."""
        while (said := self.next()) is not None:
            if said["say"] in what:
                return said
        return None

    def runs(self):
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def kill_when(self, state, chance):
        """Kill it a random while after it came to a state, seeing that it is still in it; returns where it died."""
        patience = chance.randrange(3000)
        while self.runs():
            while self.state != state and self.runs():
                pass
            for _ in range(patience):
                if self.state != state:
                    break
            if self.state == state:
                break
        return self.kill()

    def kill(self):
        """Kill it at once and read what it said last; returns where it died."""
        self._process.send_signal(signal.SIGKILL)
        while self.next() is not None:
            pass
        assert self._process.wait() == -signal.SIGKILL
        self._close()
        return self.state

    def kill_unreaped(self):
        """Kill it, but leave it a zombie until `finish`."""
        self._process.send_signal(signal.SIGKILL)
        os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)

    def finish(self):
        """Wait for its end and return its exit code."""
        while self.next() is not None:
            pass
        code = self._process.wait()
        self._close()
        return code

    def _close(self):
        self._process.stdin.close()
        self._process.stdout.close()
