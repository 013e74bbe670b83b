"""Recall: question in, evidence out, by one pipeline behind every door."""
