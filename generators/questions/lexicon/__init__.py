"""Words of a graph: nouns, verbs, phrases of edges and properties."""
