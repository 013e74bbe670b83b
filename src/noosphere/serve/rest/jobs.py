"""Long work behind REST: started with one call, watched as events (SSE), one harvest at a time a mind."""

from __future__ import annotations

import json
import logging
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from noosphere.errors import NoosphereError, NotFound
from noosphere.serve.verbs.call import document
from noosphere.serve.verbs.wording import failure_in_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from noosphere.harvest.progress import Step

    Work = Callable[[Callable[[Step], None]], Any]

log = logging.getLogger(__name__)
KEPT = 100  # finished jobs that can still be asked for
HEARTBEAT = 10.0  # seconds of silence after which a comment keeps the connection


@dataclass(slots=True)
class Job:
    """One piece of work: how far it is, and what it answered."""

    id: str
    state: str = "running"
    progress: dict[str, Any] = field(default_factory=dict[str, Any])
    result: Any = None
    error: str | None = None
    changed: threading.Condition = field(default_factory=threading.Condition, repr=False)

    def shown(self) -> dict[str, Any]:
        """The job as JSON."""
        return {
            "job": self.id,
            "state": self.state,
            "progress": self.progress,
            "result": self.result,
            "error": self.error,
        }


class Jobs:
    """The jobs of this server."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    def start(self, id: str, work: Work) -> Job:
        """Begin a job in a thread of its own; the interpreter waits for it at its end."""
        job = Job(id)
        with self._lock:
            over = [one for one in self._jobs.values() if one.state != "running"][: -KEPT or None]
            for one in over:
                del self._jobs[one.id]
            self._jobs[id] = job
        threading.Thread(target=self._run, args=(job, work), name=f"job-{id}").start()
        return job

    def get(self, id: str) -> Job:
        """A job by its id.

        Raises:
            NotFound: there is none.
        """
        with self._lock:
            job = self._jobs.get(id)
        if job is None:
            raise NotFound("job", id, "Take the id that POST /api/harvest answered")
        return job

    def events(self, job: Job) -> Iterator[str]:
        """Its progress as server-sent events, until it ends."""
        last: dict[str, Any] = {}
        while True:
            with job.changed:
                if job.shown() == last:
                    job.changed.wait(HEARTBEAT)
                now = job.shown()
            if now == last:
                yield ": still there\n\n"
                continue
            last = now
            name = "progress" if job.state == "running" else job.state
            yield f"event: {name}\ndata: {json.dumps(now, ensure_ascii=False)}\n\n"
            if now["state"] != "running":
                return

    def _run(self, job: Job, work: Work) -> None:
        def tell(step: Step) -> None:
            with job.changed:
                job.progress = {"items": step.items, "added": step.added, "seconds_left": step.seconds_left}
                job.changed.notify_all()

        try:
            result, state, error = document(work(tell), "rest"), "done", None
        except NoosphereError as problem:
            result, state, error = None, "failed", failure_in_json(problem, "rest")
        except Exception:
            log.exception("job %s failed", job.id)
            result, state, error = None, "failed", "an internal error; see the server's log"
        with job.changed:
            job.result, job.state, job.error = result, state, error
            job.changed.notify_all()
