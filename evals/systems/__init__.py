"""What is measured: the product, each of its lanes alone, and the baselines everyone knows."""
