"""Who writes: the rules or a model, with budget and record."""
