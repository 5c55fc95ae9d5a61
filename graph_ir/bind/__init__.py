"""The static checker: names, types, directions, aggregates; and what is inferred from them."""
