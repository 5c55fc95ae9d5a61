"""Simple queries become harder ones, operator by operator."""
