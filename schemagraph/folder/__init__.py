"""A graph on disk: read, written whole, checked."""
