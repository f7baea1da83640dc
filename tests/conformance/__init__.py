"""scikit-learn's own tests, run with the functions of fastmetrics in place of its own."""
