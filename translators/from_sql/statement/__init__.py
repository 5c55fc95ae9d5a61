"""A statement that is read: its names, sources, terms and output columns."""
