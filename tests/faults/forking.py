"""`python forking.py <mind|noosphere> <folder>`: forks while threads write and read; prints what was lost."""

import os
import sys
import threading
from pathlib import Path

from minds import found, hashed, open_on
from noosphere import Settings
from noosphere.clock import SystemClock
from noosphere.ids import Uuid7
from noosphere.minds.noosphere import Noosphere

FORKS, THREADS = 8, 3


def in_child(call):
    """Fork, call, and leave; whether all went well."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if call() else 2
        except BaseException:  # noqa: BLE001  (it must not run on as if it were the parent)
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


class Mind:
    """One mind with a worker in the background, which forks see in the middle of what it does."""

    def __init__(self, folder):
        self._mind = open_on(folder / "mind.db", embedder=hashed(), settings=Settings())
        self.close = self._mind.close

    def write(self, word):
        self._mind.remember(f"{word} of Ann Nordlund")

    def read(self, word):
        return found(self._mind, word)

    def healthy(self):
        return self._mind.flush().pending == {} and self._mind.doctor().healthy


class Minds:
    """Two minds of a home, opened and closed again and again since only one of them may stay open."""

    def __init__(self, folder):
        clock = SystemClock()
        self._noosphere = Noosphere(
            Settings(home=folder / "home"),
            channel="python",
            clock=clock,
            ids=Uuid7(clock),
            embedder=hashed(),
            capacity=1,
        )
        self._noosphere.workspaces.create("acme")
        self.close = self._noosphere.close

    def write(self, word):
        for name in ("acme", "personal"):
            with self._noosphere.changing(name) as mind:
                mind.remember(f"{word} of {name}")

    def read(self, word):
        hits = self._noosphere.ranked(word, 4, minds="all").hits
        return len({hit.mind for hit in hits if word in hit.text}) == 2

    def healthy(self):
        with self._noosphere.mind("acme") as mind:
            return mind.flush().pending == {} and mind.doctor().healthy


def main():
    opened = {"mind": Mind, "noosphere": Minds}[sys.argv[1]](Path(sys.argv[2]))
    stop = threading.Event()
    opened.write("warm0x")  # what is imported late is imported: Python itself cannot fork beside an import
    assert opened.read("warm0x")
    assert opened.healthy()

    def work(number):
        count = 0
        while not stop.is_set():
            opened.write(f"busy{number}q{count}x")
            opened.read(f"busy{number}q{count}x")
            count += 1

    def act(number):
        opened.write(f"forked{number}x")
        seen = opened.read(f"forked{number}x")
        opened.close()
        return seen

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    went = [in_child(lambda number=number: act(number)) for number in range(FORKS)]
    stop.set()
    for thread in threads:
        thread.join()
    lost = [number for number in range(FORKS) if not opened.read(f"forked{number}x")]
    sys.stdout.write(f"{went.count(True)} went well, lost {lost}, healthy {opened.healthy()}\n")
    opened.close()


if __name__ == "__main__":
    main()
