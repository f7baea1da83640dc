"""What the arguments of a call say: options, rows and models, and what is drawn."""
