"""The schema, the mapping from tables to graph, and the graph data: sources in, DDL out."""
