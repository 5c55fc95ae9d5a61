"""Graph-IR as DuckDB SQL over the node and edge tables of GraphData, split by theme."""
