"""Noosphere beside other stores of memories: the same texts and vectors, each peer in an environment of its own."""
