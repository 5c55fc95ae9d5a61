"""Pictures of a corpus for its pages: plots, patterns of queries, highlighted texts."""
