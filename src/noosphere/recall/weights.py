"""The calibrations of recall, together: what was chosen, why, and from which data."""

from __future__ import annotations

RRF_K = 60  # Cormack 2009; flat optimum on the dev halves
POOL = 50  # units each lane brings to the pool
NEXT_TURN = 0.2  # share of the next turn's keyword score (LoCoMo dev: R@10 71.2 with it, 61.4 on the turn alone)
DF_BUDGET = 30_000  # postings one question may touch; rarest terms first (1M frames: 7.8 ms, top 10 unchanged)
MIN_TERMS = 2  # terms kept whatever they cost
WIDEN = 4  # how much deeper a lane looks when the predicate left it short
MAX_DEPTH = 20_000  # as deep as a lane ever looks

# The order inside the pool, in units of the keyword lane's z; from the dev halves of LoCoMo, LongMemEval-S and BEAM.
# What only one kind of talk can have counts only there: a named speaker between people, a role beside an assistant.
WEIGHTS = {
    "keyword": 1.0,
    "semantic": 1.0,
    "exact": 3.0,  # an id of the query that stands in the unit: its own line comes first
    "speaker": 3.0,  # people: the question names who speaks
    "asks": -1.4,  # people: a question is rarely the answer (8 % of LoCoMo's gold)
    "answers": 0.45,  # people: a share of the question it answers
    "month": 2.2,  # said or happened in a month the question names
    "role": 1.1,  # user and assistant: the one the question is about
    "standing": 0.8,  # a standing instruction or preference of the user
    "length": -0.8,  # user and assistant: a long turn meets many questions and answers few
}

FULL_SHARE = 0.75  # hits at this share of the best are shown at length
LONG = 4000  # characters of such a hit (the seed's snippet budgets)
SHORT = 400
TOTAL = 12_000
