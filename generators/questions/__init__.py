"""Questions for queries: three levels and the knowledge that leads from them to the query."""
