"""Upkeep: named, bounded, audited passes that keep a mind sound."""
