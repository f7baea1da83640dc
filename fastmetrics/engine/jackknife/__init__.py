"""What a metric is without a row or a cluster, and what each of them moves it by."""
