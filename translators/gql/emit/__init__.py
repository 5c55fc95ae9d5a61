"""IR to ISO GQL text."""
