"""What is drawn in a replicate, from which streams, and how it is drawn."""
