"""How fast fastmetrics is, next to what else can do the work; see README.md."""
