"""One sort, one sweep, one tile of weights: what a metric is, and how it is resampled."""
