"""How alike texts are, and which of many are most alike."""
