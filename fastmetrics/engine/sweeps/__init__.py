"""One sort, units of rows that nothing tells apart, and one pass over them."""
