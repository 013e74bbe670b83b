"""A cross-encoder in this process: a folder with `model.onnx` and `tokenizer.json`, run by onnxruntime."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from noosphere.errors import ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
WINDOW = 512  # tokens of question and text together; the text is cut
BATCH = 16  # pairs in one run
REMEDY = f"Give a folder with {MODEL}, whose output is one or two scores a pair, and {TOKENIZER}"


class OnnxScorer:
    """Runs a sequence classifier over pairs.

    Raises:
        ModelUnavailable: a runtime or a file is missing, or a file is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.name = f"cross {folder.name}"
        try:
            import onnxruntime  # noqa: PLC0415  (for whoever loads this model)
            from tokenizers import Tokenizer  # noqa: PLC0415

            runtime: Any = onnxruntime  # it carries no types
            self._tokenizer: Any = Tokenizer.from_file(str(folder / TOKENIZER))
            options: Any = runtime.SessionOptions()
            options.intra_op_num_threads = 1
            options.log_severity_level = 3
            self._session: Any = runtime.InferenceSession(str(folder / MODEL), options)
        except Exception as problem:  # the packages raise bare exceptions for files they cannot read
            raise ModelUnavailable(self.name, f"{folder} cannot be loaded ({problem!s:.200})", REMEDY) from problem
        self._tokenizer.enable_truncation(WINDOW, strategy="only_second")
        self._tokenizer.enable_padding()
        inputs: list[Any] = self._session.get_inputs()
        self._inputs = {str(each.name) for each in inputs}

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Score each text.

        Raises:
            ModelUnavailable: the model gives something other than one or two scores a pair.
        """
        found: list[float] = []
        for first in range(0, len(texts), BATCH):
            found += self._batch(question, texts[first : first + BATCH])
        return found

    def _batch(self, question: str, texts: Sequence[str]) -> list[float]:
        encoded: list[Any] = self._tokenizer.encode_batch([(question, text) for text in texts])
        columns = {
            "input_ids": [e.ids for e in encoded],
            "attention_mask": [e.attention_mask for e in encoded],
            "token_type_ids": [e.type_ids for e in encoded],
        }
        feed = {name: np.array(rows, np.int64) for name, rows in columns.items() if name in self._inputs}
        logits = np.asarray(self._session.run(None, feed)[0], np.float32)
        if logits.shape == (len(texts), 2):
            return [float(value) for value in logits[:, 1] - logits[:, 0]]
        if logits.size == len(texts):
            return [float(value) for value in logits.reshape(-1)]
        raise ModelUnavailable(self.name, f"its output has the shape {logits.shape}", REMEDY)
