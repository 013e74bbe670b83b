"""Learning from live turns: the turns are recorded, and the sentences in them that are worth it become memories."""

from noosphere.write.cognify.learn import learn

__all__ = ["learn"]
