"""Areas under ROC curves, their intervals and their tests, by DeLong's method."""
