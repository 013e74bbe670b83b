"""Evals: what recall is worth, measured on public benchmarks that lie outside the repository."""
