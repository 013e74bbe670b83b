"""What texts say of the world: names, relations, facts, whether two say the same; and the ways from node to node."""
