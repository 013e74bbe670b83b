"""Noosphere: a local-first memory engine for AI agents."""
