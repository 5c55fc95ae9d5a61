"""Measures of one prediction: its text, its clauses, the schema it touches, its difference."""
