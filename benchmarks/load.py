"""A server under load: readers and a writer on connections of their own, each request timed from when it was due."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import count
from statistics import median, quantiles
from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OK = 200
TIMEOUT = 30.0  # seconds
Request = tuple[str, str, bytes | None]  # method, path, body


@dataclass(slots=True)
class Answers:
    """Milliseconds from when each request was due to when its answer was read, and what was no success."""

    spent: list[float] = field(default_factory=list[float])
    errors: list[str] = field(default_factory=list[str])

    def line(self, seconds: float) -> str:
        """The figures as text."""
        if len(self.spent) < 2:  # noqa: PLR2004  (quantiles need two)
            return f"{len(self.spent)} answers, {len(self.errors)} errors {self.errors[:3]}"
        cuts = quantiles(self.spent, n=100)
        return (
            f"{len(self.spent)} answers, {len(self.errors)} errors {self.errors[:3] or ''}, "
            f"{len(self.spent) / seconds:.1f} a second; "
            f"p50 {median(self.spent):.1f} ms, p95 {cuts[94]:.1f}, p99 {cuts[98]:.1f}, at most {max(self.spent):.1f}"
        )


@dataclass(frozen=True, slots=True)
class Server:
    """Where a server listens, and the token it takes."""

    port: int
    token: str

    def work(self, requests: Iterator[Request], until: float, every: float, first: float) -> Answers:
        """Send requests over one connection until then: one each `every` seconds, or one after the other at 0."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        found, due = Answers(), first
        while due < until:
            time.sleep(max(0.0, due - time.perf_counter()))
            due = due if every else time.perf_counter()
            try:
                connection.request(*next(requests), headers)
                answer = connection.getresponse()
                body = answer.read()
                if answer.status != OK:
                    found.errors.append(f"{answer.status}: {body[:200]!r}")
            except OSError as problem:
                found.errors.append(repr(problem))
                connection.close()
            found.spent.append((time.perf_counter() - due) * 1000)
            due = due + every if every else time.perf_counter()
        connection.close()
        return found


def recalls(questions: list[str], start: int) -> Iterator[Request]:
    """Questions in turn, from one on."""
    for n in count(start):
        yield "GET", "/api/recall?" + urlencode({"query": questions[n % len(questions)], "k": 10}), None


def memories(texts: list[str]) -> Iterator[Request]:
    """Something new to remember each time."""
    for n in count():
        yield "POST", "/api/memories", json.dumps({"text": f"{texts[n % len(texts)]} ({n})"}).encode()


def together(jobs: list[Callable[[], Answers]]) -> list[Answers]:
    """Do all at once, each in a thread."""
    found: list[Answers] = [Answers() for _ in jobs]

    def run(n: int) -> None:
        found[n] = jobs[n]()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def joined(all_of: list[Answers]) -> Answers:
    """The answers of several as those of one."""
    return Answers([ms for one in all_of for ms in one.spent], [error for one in all_of for error in one.errors])
