"""Whether a query's answers tell it from queries that are nearly the same (mutation analysis)."""
