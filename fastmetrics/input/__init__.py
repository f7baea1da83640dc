"""What callers hand in, made into arrays: values, labels, columns, targets, forecasts, options."""
