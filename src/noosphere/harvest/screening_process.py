"""A process beside an import that screens texts while the import reads and writes: half of its work.

It is started when an import turns out to be large, by this program's own Python with this program's own path, and
ends when its input does: an import that is killed leaves none behind. Each line it is given is a JSON list of texts.
Where there is no second processor, or no process can be started, the import screens its texts itself.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from noosphere.guard.screen import Screening
from noosphere.harvest.verdicts import Asked, Verdict, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from noosphere.guard.screen import Origin

log = logging.getLogger(__name__)
AT_ONCE = 100  # texts that go there in one piece
START = "import sys; sys.path[:] = sys.argv[1:]; from noosphere.harvest.screening_process import serve; serve()"
PATIENCE_SECONDS = 10.0  # for a process to end whose input has ended


class ScreeningProcess:
    """Screens texts for one import."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = ThreadPoolExecutor(1, "noosphere-screening")

    def begin(self) -> None:
        """Start the process, if it does not run and can help."""
        if self._process is not None or processors() < 2:  # noqa: PLR2004  (this one, and one beside it)
            return
        try:
            self._process = subprocess.Popen(  # noqa: S603  (our own program)
                [sys.executable, "-c", START, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # an interrupt from the keyboard is for the import, which then ends it
            )
        except OSError as problem:
            log.warning("an import screens its texts by itself: %s", problem)

    def ask(self, texts: Sequence[Asked]) -> Callable[[], list[Verdict]]:
        """Have texts screened; the answer waits for what was seen, in their order.

        What the process has not come to when the answer is wanted is screened here, from the end, while it goes on.
        """
        process = self._process
        if process is None:
            return lambda: [judge(text) for text in texts]
        parts = [texts[start : start + AT_ONCE] for start in range(0, len(texts), AT_ONCE)]
        return partial(self._answer, parts, [self._thread.submit(_exchange, process, part) for part in parts])

    def _answer(self, parts: Sequence[Sequence[Asked]], waiting: Sequence[Future[list[Verdict]]]) -> list[Verdict]:
        here: list[list[Verdict]] = []
        there = len(parts)
        while there and waiting[there - 1].cancel():
            there -= 1
            here.append([judge(text) for text in parts[there]])
        seen = [self._result(waiting[number], parts[number]) for number in range(there)]
        return [verdict for part in (*seen, *reversed(here)) for verdict in part]

    def _result(self, waiting: Future[list[Verdict]], texts: Sequence[Asked]) -> list[Verdict]:
        try:
            return waiting.result()
        except (OSError, ValueError) as problem:  # it was ended by somebody else
            if self._process is not None:
                log.warning("an import screens its texts by itself from here on: %s", problem)
                self._let_go()
            return [judge(text) for text in texts]

    def end(self) -> None:
        """End the process."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._let_go()

    def _let_go(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # what it did not read any more
                if pipe is not None:
                    pipe.close()
        try:
            process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def processors() -> int:
    """How many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _exchange(process: subprocess.Popen[bytes], texts: Sequence[Asked]) -> list[Verdict]:
    """Give texts to the process and read what it saw.

    Raises:
        OSError: it is gone.
        ValueError: it answers with something else, as it does when it ends.
    """
    if process.stdin is None or process.stdout is None:
        raise OSError
    process.stdin.write(json.dumps(texts).encode() + b"\n")
    process.stdin.flush()
    seen: dict[str, Any] = json.loads(process.stdout.readline())
    rough = set(seen["rough"])
    hostile = {n: Screening(score, tuple(hits), version, True) for n, score, hits, version in seen["hostile"]}
    return [Verdict(hostile.get(n), n not in rough) for n in range(len(texts))]


def serve() -> None:
    """Screen what standard input brings, until it ends."""
    for line in sys.stdin.buffer:
        verdicts = [judge(_asked(*given)) for given in json.loads(line)]
        seen = {
            "rough": [n for n, one in enumerate(verdicts) if not one.plain],
            "hostile": [
                (n, one.hostile.score, one.hostile.hits, one.hostile.version)
                for n, one in enumerate(verdicts)
                if one.hostile is not None
            ],
        }
        sys.stdout.buffer.write(json.dumps(seen).encode() + b"\n")
        sys.stdout.buffer.flush()


def _asked(text: str, origin: Origin, is_turn: bool) -> Asked:  # noqa: FBT001  (as they come)
    return Asked(text, origin, is_turn)
