"""How good probabilities are: losses, skill, calibration and its repair."""
