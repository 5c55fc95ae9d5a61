"""Source SQL to Graph-IR, under the mapping that made the graph."""
