"""Differences of models: by joint replicates, or by swaps of their rows."""
