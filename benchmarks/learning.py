"""`python -m benchmarks.learning`: what learning from an exchange costs, by CPU time, without embedding or a model."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

from noosphere import open_mind
from noosphere.graph.said import said
from noosphere.settings import Settings
from noosphere.write.cognify.capture import capture

WARM = 40  # exchanges before the clock counts: patterns are compiled when first met
EXCHANGES = 400
NAMES = ("Ana Kos", "Ben Okoro", "Chidi Eze", "Dana Weiss", "Ivo Petrov", "Priya Nair", "Rhona Blair", "Yusuf Demir")
USER = (
    "{who} will send the draft to the printer by Friday. Nice weather today, by the way!",
    "Let's go with option {n} for the ledger. What else is open?",
    "The staging port is {n}. Could you check whether the proxy knows?",
    "I prefer short answers with the result first. How long does the backup of shelf {n} take?",
    "Turns out pump {n} was wired backwards. {who} found it last week.",
    "How do I sort a list of {n} names in Python?",
)
ASSISTANT = (
    "Noted. Here is the plan for step {n}: we look at the log, then at the cache.",
    "Sure! You can use sorted() with a key; it keeps equal items in order.",
    "The root cause of error {n} was a stale record. I'll update the page.",
)


def main() -> int:
    """Print medians and the nineteenth twentieth."""
    turns = [(USER[n % 6].format(n=n, who=NAMES[n % 8]), ASSISTANT[n % 3].format(n=n)) for n in range(WARM + EXCHANGES)]
    quiet = Settings(background=False, semantic="off")  # what is embedded beside it is no part of it
    with tempfile.TemporaryDirectory() as folder, open_mind(Path(folder) / "mind.db", settings=quiet) as mind:
        spent: list[float] = []
        for n, (user, assistant) in enumerate(turns):
            start = time.process_time()
            mind.cognify({"user": user, "assistant": assistant, "conversation": f"c{n // 20}"})
            if n >= WARM:
                spent.append(1000 * (time.process_time() - start))
    print(f"cognify: {median(spent):.2f} ms an exchange, {quantiles(spent, n=20)[-1]:.2f} ms in one of twenty")
    for name, read in (("cues", lambda text: capture(text, "user")), ("names and relations", said)):
        start = time.process_time()
        for user, _ in turns:
            read(user)
        print(f"{name}: {len(turns) / (time.process_time() - start):.0f} turns a second")
    return 0


if __name__ == "__main__":
    sys.exit(main())
