"""Masked and filled pairs in nGQL."""
