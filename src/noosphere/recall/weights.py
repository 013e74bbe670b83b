"""The calibrations of recall, together: what was chosen, why, and from which data."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Literal

Grade = Literal["keyword", "static", "multilingual", "encoder", "interaction", "remark"]

RRF_K = 60  # Cormack 2009; flat optimum on the dev halves
POOL = {
    "fast": 50,
    "deep": 75,
    "cross": 75,
}  # units each lane brings (BEAM dev, fast: turn R@10 62.1 with 50, 63.0 with 75)
NEXT_TURN = 0.2  # share of the next turn's keyword score (LoCoMo dev: R@10 71.2 with it, 61.4 on the turn alone)
DF_BUDGET = 10_000  # postings one question may touch, rarest terms first: half a millisecond per 1000
MIN_TERMS = 2  # terms kept whatever they cost
ENOUGH = 10  # postings of rare terms for each unit wanted: commoner terms then only add to what those found
LITTLE = 500  # postings that are not worth a second search
WIDEN = 4  # how much deeper a lane looks when the predicate left it short
MAX_DEPTH = 20_000  # as deep as a lane ever looks

FULL_SHARE = 0.75  # hits at this share of the best are shown at length
LONG = 4000  # characters of such a hit (the seed's snippet budgets)
SHORT = 400
TOTAL = 12_000


@cache
def weights(grade: Grade) -> dict[str, float]:
    """The weight of every feature that counts when a pool was measured in this grade (weights.toml).

    The multilingual encoder is weighed like the other: on LoCoMo (760 questions) its turn R@10 is 84.1 so, and 83.8 to
    84.4 with semantic one to two times and keyword 0.7 to one times as heavy.
    """
    data = tomllib.loads(resources.files("noosphere.recall").joinpath("weights.toml").read_text(encoding="utf-8"))
    return data["fixed"] | data["encoder" if grade == "multilingual" else grade]
