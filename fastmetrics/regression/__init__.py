"""How far forecasts of numbers are off."""
