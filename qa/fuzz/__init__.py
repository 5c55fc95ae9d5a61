"""Random graphs and queries over the whole of Graph-IR, and what engines make of them."""
