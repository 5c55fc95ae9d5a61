"""nGQL text to IR."""
