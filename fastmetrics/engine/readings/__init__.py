"""What a model takes from a tile of weights, and which metrics it answers."""
