"""Rows of a source on their way: staged on disk, compared, hashed."""
