"""The knowledge graph: names made comparable, and the ways from node to node."""
