"""What a cross-encoder can do, and opening the one that the settings name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from noosphere.errors import ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

KEY = "NOOSPHERE_CROSS_KEY"  # the bearer token of an endpoint, where one is needed
NONE = "Set cross_model to the folder of an ONNX cross-encoder or to the address of a rerank endpoint"


class PairScorer(Protocol):
    """Reads a question and texts together; safe to call from several threads at once."""

    @property
    def name(self) -> str:
        """What the trace calls it."""
        ...

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the question: higher is better, comparable inside one call.

        Raises:
            ModelUnavailable: it does not work, or does not answer.
        """
        ...


def open_scorer(model: str | None) -> PairScorer:
    """Open a cross-encoder: a folder with `model.onnx` and `tokenizer.json`, or an address that speaks JSON.

    Raises:
        ModelUnavailable: none is named, or it cannot be loaded.
    """
    if not model:
        raise ModelUnavailable("cross", "no cross-encoder is named", NONE)
    if model.startswith(("http://", "https://")):
        from noosphere.providers.rerank.http import HttpScorer  # noqa: PLC0415  (one of two runtimes)

        return HttpScorer(model, os.environ.get(KEY))
    from noosphere.providers.rerank.onnx import OnnxScorer  # noqa: PLC0415

    return OnnxScorer(Path(model).expanduser())
