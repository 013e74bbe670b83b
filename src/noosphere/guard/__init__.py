"""Guarding a prompt from what was remembered: recalled text is data, and stays so."""
