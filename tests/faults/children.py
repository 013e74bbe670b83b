"""Starting, following and killing the children of the fault tests."""

import json
import mmap
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from queue import SimpleQueue

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
        self._lines = SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)  # a child must never wait for a full pipe
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            self._lines.put(json.loads(line))
        self._lines.put(None)

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
        said = self._lines.get()
        if said is None:
            self._lines.put(None)
        else:
            self.said.append(said)
        return said

    def next_of(self, *what):
        """The next of certain things it says; None when it has ended before."""
        while (said := self.next()) is not None:
            if said["say"] in what:
                return said
        return None

    def catch_up(self):
        """Take in what it said so far, and wait until it did something more from beginning to end."""
        while not self._lines.empty():
            self.next()
        self.next_of("done")
        return self.next_of("done")

    def runs(self):
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def kill_when(self, state, patience=0):
        """Kill it some looks after it came to a state, seeing that it is still in it; returns where it died."""
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
        assert self.finish() == -signal.SIGKILL
        return self.state

    def kill_unreaped(self):
        """Kill it, but leave it a zombie until `finish`."""
        self._process.send_signal(signal.SIGKILL)
        os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)

    def finish(self):
        """Wait for its end and return its exit code."""
        while self.next() is not None:
            pass
        self._reader.join()
        self._process.stdin.close()
        self._process.stdout.close()
        return self._process.wait()

    def clear_away(self):
        """End it if it still runs."""
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGKILL)
            self.finish()
