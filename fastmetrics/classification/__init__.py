"""How well predicted classes agree with the true ones."""
