"""How good predicted queries are: metrics, and the contract of the systems that predict them."""
