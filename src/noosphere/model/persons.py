"""Words for persons: the speaker, others, and those who stand near to somebody."""

from __future__ import annotations

FIRST = frozenset({"i", "me", "my", "mine", "myself", "i'm", "i've", "i'll", "i'd"})
FIRST_OF_MANY = frozenset({"we", "us", "our", "we're", "we've", "we'll", "we'd"})
THIRD = frozenset(
    ["he", "she", "they", "his", "her", "their", "him", "them", "hers", "he's", "she's", "they're", "they've"]
)
KIN = frozenset(
    [
        "sister",
        "brother",
        "mother",
        "mom",
        "mum",
        "father",
        "dad",
        "son",
        "daughter",
        "wife",
        "husband",
        "partner",
        "girlfriend",
        "boyfriend",
        "fiance",
        "fiancee",
        "cousin",
        "aunt",
        "uncle",
        "niece",
        "nephew",
        "grandmother",
        "grandma",
        "grandfather",
        "grandpa",
        "friend",
        "roommate",
        "flatmate",
        "neighbour",
        "neighbor",
        "boss",
        "manager",
        "colleague",
        "coworker",
        "parents",
        "kids",
        "children",
        "landlord",
        "landlady",
        "doctor",
        "dentist",
        "therapist",
        "teacher",
        "tutor",
        "coach",
        "dog",
        "cat",
        "twin",
        "stepmother",
        "stepfather",
        "stepson",
        "godmother",
        "godfather",
        "mate",
        "assistant",
        "trainer",
        "buddy",
        "ex",
    ]
)
SEVERAL = KIN - frozenset(
    ["mother", "mom", "mum", "father", "dad", "wife", "husband", "partner", "boss", "manager", "landlord"]
)
