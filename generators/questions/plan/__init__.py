"""What a query asks, as data: normal form, analysis, names of its parts."""
