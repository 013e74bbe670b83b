"""A seeded corpus that behaves like talk: Zipf words, real stop words, topics in bursts, turns of 5 to 300 words."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 11
VOCABULARY = 40_000
TOPICS = 600
WORDS_OF_TOPIC = 40
STOP_SHARE = 0.45  # of running English text
TOPIC_SHARE = 0.2
BURST = 30  # turns a topic lasts on average
SYLLABLES = [a + b + c for a in "bdfgklmnprstvz" for b in "aeiou" for c in ("", "n", "r", "s", "l")]
STOP_WORDS = """
the of and to a in that it is was i for on you he be with as by at have are this not but had his they from
she which or we an there her were one do been all their has would will what if can when so no my
""".split()  # noqa: SIM905  (a text reads better than a hundred quotes)


@dataclass(frozen=True, slots=True)
class Talk:
    """A turn and the topic it is about."""

    text: str
    topic: int


class Corpus:
    """Generates turns and questions; the same seed gives the same."""

    def __init__(self, seed: int = SEED) -> None:
        self._rng = random.Random(seed)
        words: dict[str, None] = {}
        while len(words) < VOCABULARY:
            words["".join(self._rng.choices(SYLLABLES, k=self._rng.choice((2, 3, 3, 4))))] = None
        self._words = list(words)
        self._zipf = list(accumulate(1 / (rank + 10) for rank in range(VOCABULARY)))
        self._stops = list(accumulate(1 / (rank + 1) for rank in range(len(STOP_WORDS))))
        self.topics = [self._rng.sample(self._words[200:], WORDS_OF_TOPIC) for _ in range(TOPICS)]

    def turns(self, count: int) -> Iterator[Talk]:
        """Turns, topic by topic."""
        topic, left = 0, 0
        for n in range(count):
            if left <= 0:
                topic, left = self._rng.randrange(TOPICS), int(self._rng.expovariate(1 / BURST)) + 1
            left -= 1
            yield Talk(f"{self._text(topic, self._length())} {n}", topic)

    def questions(self, count: int) -> list[Talk]:
        """Distinct questions: a few stop words, some common words, two or three of a topic."""
        asked: dict[str, int] = {}
        while len(asked) < count:
            topic = self._rng.randrange(TOPICS)
            words = self._pick(STOP_WORDS, self._stops, 4) + self._pick(
                self._words, self._zipf, self._rng.randint(2, 4)
            )
            words += self._rng.sample(self.topics[topic], self._rng.randint(2, 3))
            self._rng.shuffle(words)
            asked[" ".join(words) + "?"] = topic
        return [Talk(text, topic) for text, topic in asked.items()]

    def _length(self) -> int:
        return min(300, max(5, int(self._rng.lognormvariate(3.2, 0.9))))

    def _text(self, topic: int, length: int) -> str:
        stops, special = int(length * STOP_SHARE), int(length * TOPIC_SHARE)
        words = self._pick(STOP_WORDS, self._stops, stops) + self._rng.choices(self.topics[topic], k=special)
        words += self._pick(self._words, self._zipf, length - stops - special)
        self._rng.shuffle(words)
        return " ".join(words)

    def _pick(self, words: list[str], weights: list[float], count: int) -> list[str]:
        return self._rng.choices(words, cum_weights=weights, k=count)
