"""What NebulaGraph's parser takes: keywords, lexer, grammar, static check."""
