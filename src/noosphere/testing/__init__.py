"""Shipped for tests of one's own: clocks, ids, embedders and scratch minds, without a model or a network."""
