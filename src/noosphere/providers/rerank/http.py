"""A cross-encoder behind an address that takes `{query, documents}` and gives `{results: [{index, relevance_score}]}`.

So speak Jina, Cohere, vLLM, Infinity, llama.cpp and the LiteLLM proxy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from noosphere.errors import ModelUnavailable
from noosphere.providers.endpoint import Endpoint, Place

if TYPE_CHECKING:
    from collections.abc import Sequence

SECONDS = 5.0  # a question waits for it
REMEDY = "Give the whole address of a rerank endpoint; a model, where one must be named, as ?model=NAME behind it"


class HttpScorer:
    """Asks an endpoint.

    Args:
        address: of the endpoint, whole; `?model=NAME` behind it names a model in the request.
        key: a bearer token, where one is needed.
    """

    def __init__(self, address: str, key: str | None = None) -> None:
        url, _, model = address.partition("?model=")
        self.name = f"cross {model or url}"
        self._model = model
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._endpoint = Endpoint(self.name, Place(url, headers, SECONDS))

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Score each text.

        Raises:
            ModelUnavailable: it cannot be reached, or answers something else.
        """
        body: dict[str, Any] = {"query": question, "documents": list(texts)}
        if self._model:
            body["model"] = self._model
        answer = self._endpoint.post(body)
        try:
            rows = cast("list[dict[str, Any]]", answer["results"])
            found = {int(row["index"]): float(row["relevance_score"]) for row in rows}
            return [found[number] for number in range(len(texts))]
        except (TypeError, KeyError, ValueError) as problem:
            raise ModelUnavailable(self.name, f"it gave no score for each text ({problem!r:.80})", REMEDY) from problem
