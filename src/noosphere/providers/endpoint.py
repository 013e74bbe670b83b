"""An endpoint that speaks JSON over HTTP: what it answers, or why it cannot, told apart from what it refuses."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from noosphere.errors import ModelDown, ModelUnavailable, shown
from noosphere.forking import Lock

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    import httpx2

TRIES = 3  # of a request that is told to come later
LONGEST_PAUSE = 10.0  # seconds waited for a rate limit; a longer one leaves the texts pending
REST = 30.0  # seconds in which an endpoint that did not answer is not asked again
LATER = frozenset({429, 503})
CLOSED = frozenset({401, 403, 404, 405})  # a wrong key, address or model: nothing is wrong with the text
SERVER = 500
LATER_ON = "Try again later, or look at its address, key and model"


class TooSlow(ModelDown):
    """The endpoint took the request and did not answer in time."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an endpoint is, and how it is asked.

    Attributes:
        url: of the request, whole.
        headers: a bearer token, where one is needed.
        seconds: how long connecting, sending and each part of an answer may take.
    """

    url: str
    headers: Mapping[str, str]
    seconds: float


class Endpoint:
    """Asks one place; safe from several threads.

    Args:
        model: whose it is, for the errors.
        place: where and how.
        remedy: what its errors advise.
        pause: waits some seconds; for tests.
        clock: seconds that only grow; for tests.
    """

    def __init__(
        self,
        model: str,
        place: Place,
        *,
        remedy: str = LATER_ON,
        pause: Callable[[float], object] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model = model
        self._place = place
        self._remedy = remedy
        self._pause = pause
        self._clock = clock
        self._lock = Lock()
        self._client: httpx2.Client | None = None
        self._down: tuple[float, str] | None = None

    def post(self, body: Mapping[str, Any]) -> Any:
        """Send a request and return the JSON of its answer.

        Raises:
            ModelDown: it cannot be reached, does not answer, or lets nobody in; TooSlow when it only took too long.
            ModelUnavailable: it refuses what was sent.
        """
        self._refuse_while_down()
        for left in reversed(range(TRIES)):
            answer = self._send(body)
            if answer.status_code not in LATER:
                return self._read(answer)
            seconds = _retry_after(answer)
            if left == 0 or seconds > LONGEST_PAUSE:
                raise self._stop(f"it said to come later ({answer.status_code})", max(seconds, REST))
            self._pause(seconds)
        raise AssertionError  # the last round returns or raises

    def _send(self, body: Mapping[str, Any]) -> httpx2.Response:
        with self._reached() as client:
            return client.post(self._place.url, json=body)

    @contextmanager
    def _reached(self) -> Generator[httpx2.Client]:
        try:
            import httpx2  # noqa: PLC0415  (only for whoever named a hosted model)
        except ImportError as problem:
            remedy = 'Install it: pip install "noosphere[hosted]"'
            raise ModelDown(self._model, f"httpx2 cannot be imported ({problem})", remedy) from problem
        try:
            yield self._open(httpx2)
        except (httpx2.ReadTimeout, httpx2.WriteTimeout) as problem:
            said = f"{self._place.url} did not answer in {self._place.seconds:g} s"
            raise TooSlow(self._model, said, self._remedy) from problem
        except (httpx2.HTTPError, httpx2.InvalidURL) as problem:
            raise self._stop(f"{self._place.url} cannot be reached ({type(problem).__name__})") from problem

    def _open(self, httpx2: Any) -> httpx2.Client:
        with self._lock:
            if self._client is None:
                self._client = httpx2.Client(timeout=self._place.seconds, headers=dict(self._place.headers))
            return cast("httpx2.Client", self._client)

    def _read(self, answer: httpx2.Response) -> Any:
        code = answer.status_code
        if code in CLOSED:
            raise self._stop(f"{self._place.url} answered {code} ({_reason(answer)})")
        if code >= SERVER or not answer.is_success:
            raise ModelUnavailable(self._model, f"it refused what was sent ({code}, {_reason(answer)})", self._remedy)
        try:
            return answer.json()
        except ValueError as problem:
            raise self._stop(f"{self._place.url} answered what is no JSON") from problem

    def _stop(self, reason: str, seconds: float = REST) -> ModelDown:
        with self._lock:
            self._down = (self._clock() + seconds, reason)
        return ModelDown(self._model, reason, self._remedy)

    def close(self) -> None:
        """Close the connection; asking again opens another."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _refuse_while_down(self) -> None:
        with self._lock:
            if self._down is None or self._clock() >= self._down[0]:
                self._down = None
                return
            reason = self._down[1]
        raise ModelDown(self._model, reason, self._remedy)


def _retry_after(answer: httpx2.Response) -> float:
    """Seconds that the answer asks to wait; one where it does not say, or gives a date."""
    try:
        return max(0.0, float(answer.headers.get("retry-after", "1")))
    except ValueError:
        return 1.0


def _reason(answer: httpx2.Response) -> str:
    """What an answer says is wrong, short: never the texts that were sent."""
    try:
        said = answer.json()
    except ValueError:
        return answer.reason_phrase or "no reason given"
    error: Any = cast("dict[str, Any]", said).get("error") if isinstance(said, dict) else None
    kind: Any = cast("dict[str, Any]", error).get("type") if isinstance(error, dict) else None
    return shown(kind) if isinstance(kind, str) else answer.reason_phrase or "no reason given"
