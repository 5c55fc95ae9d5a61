"""A property graph as RDF: one rule for every schema, read by exports, engines and translators."""
