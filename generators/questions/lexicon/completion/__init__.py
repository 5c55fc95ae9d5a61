"""A lexicon completed: its entries by rule, those of files and those of a model, together."""
