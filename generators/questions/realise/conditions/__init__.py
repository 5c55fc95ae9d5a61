"""Conditions on properties: which nobody asks for, and how the others are said."""
