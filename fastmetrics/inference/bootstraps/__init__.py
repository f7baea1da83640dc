"""The bootstrap: a run, its results, bands around curves and operating points."""
