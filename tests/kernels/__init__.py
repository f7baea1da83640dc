"""Each kernel alone, against an obvious loop."""
