"""IR to nGQL text."""
