"""What several systems are made of: asking a model, running a query, values, neighbours, texts."""
