"""Values of a graph that an engine gets wrong, and the texts that are refused for them."""
