"""Embedders: one file per runtime."""
