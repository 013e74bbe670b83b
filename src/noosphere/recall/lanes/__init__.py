"""Lanes: named sources of candidates, each a ranked list of units with a reason."""
