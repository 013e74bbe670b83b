"""The demo: an invented chat export and some notes go into a fresh mind, and a question is answered from them.

make demo ASK='When does Ivo arrive?'
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from textwrap import shorten

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy starts twice as quickly with one thread

import noosphere

DEMO = Path(__file__).parent / "demo"
EXPORT = DEMO / "conversations.json"
NOTES = DEMO / "notes"
WIDTH = 300  # characters shown of a hit


def main() -> int:
    """Import, ask, show the evidence and why it was chosen."""
    question = " ".join(sys.argv[1:]).strip() or "What did we decide about pricing in May?"
    with tempfile.TemporaryDirectory(prefix="noosphere-demo-") as folder:
        settings = noosphere.Settings(home=Path(folder), background=False)
        with noosphere.open_mind(settings=settings) as mind:
            found = mind.harvest(EXPORT, NOTES)
            print(f"read {found.conversations} conversations and {found.notes} notes: {found.added} turns and notes")
            print(f"left out on purpose: {', '.join(f'{n} × {what}' for what, n in found.left.items())}")
            for reject in found.rejects:
                print(f"could not be read: {reject.origin}: {reject.why}")
            flushed = mind.flush()
            print(f"embedded {flushed.embedded} units, in this process, with no network\n")
            print(f"? {question}\n")
            _answer(mind, question)
    return 0


def _answer(mind: noosphere.Mind, question: str) -> None:
    recalled = mind.recall(question, k=5)
    for hit in recalled.hits:
        when = hit.dates.happened or f"{hit.said_at or hit.dates.valid_from:%Y-%m-%d}"
        who = hit.speaker or hit.title or hit.role
        where = f"chat {hit.title!r}" if hit.conversation else "note"
        why = ", ".join(f"{lane.name} #{lane.rank}" for lane in hit.lanes)
        words = f", words: {', '.join(hit.terms)}" if hit.terms else ""
        print(f"[{when}] {who}: {shorten(hit.text, WIDTH, placeholder=' …')}")
        print(f"    from {where}, source {hit.source}; found by {why}{words}\n")
    print("What an agent puts before its prompt:\n")
    print(mind.recall(question, budget=900, k=3).text)


if __name__ == "__main__":
    sys.exit(main())
