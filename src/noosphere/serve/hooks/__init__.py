"""Hooks: an agent program calls them with JSON on standard input; they fail open."""
