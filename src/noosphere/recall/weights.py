"""The calibrations of recall, together: what was chosen, why, and from which data."""

from __future__ import annotations

RRF_K = 60  # Cormack 2009; flat optimum on the dev halves
POOL = 50  # units each lane brings to the pool
NEXT_TURN = 0.2  # share of the next turn's keyword score (LoCoMo dev: R@10 71.2 with it, 61.4 on the turn alone)
DF_BUDGET = 30_000  # postings one question may touch; rarest terms first (1M frames: 7.8 ms, top 10 unchanged)
MIN_TERMS = 2  # terms kept whatever they cost
WIDEN = 4  # how much deeper a lane looks when the predicate left it short
MAX_DEPTH = 20_000  # as deep as a lane ever looks

# The order inside the pool, in units of the keyword lane's z. From the dev halves of LoCoMo and BEAM, each term
# judged on both: what only one kind of talk can have (a named speaker, a role) counts only there.
WEIGHTS = {
    "keyword": 1.0,
    "semantic": 1.0,
    "exact": 3.0,  # an id of the query that stands in the unit: its own line comes first
    "speaker": 1.1,  # people: the question names who speaks (LoCoMo R@10 +2)
    "asks": -1.1,  # people: a question is rarely the answer (8 % of LoCoMo's gold; +1)
    "answers": 0.3,  # people: a share of the question it answers (+1)
    "month": 1.5,  # said or happened in a month the question names (+1.5)
    "role": 1.0,  # user and assistant: the one the question is about (BEAM +4)
    "standing": 0.7,  # a standing instruction or preference of the user (BEAM +2)
}

FULL_SHARE = 0.75  # hits at this share of the best are shown at length
LONG = 4000  # characters of such a hit (the seed's snippet budgets)
SHORT = 400
TOTAL = 12_000
