"""Graph data for a domain: programs that draw it, and who writes them."""
