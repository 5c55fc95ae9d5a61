"""What the LALR grammars of texts share: their tables, and the automaton that runs them."""
