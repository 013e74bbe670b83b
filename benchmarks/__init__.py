"""Benchmarks: speed on realistic text, side by side with a plain baseline in the same run."""
