"""SELECT with all its parts: groups, windows, set operations, recursion, subqueries."""
