"""What GQL says in many words, read back as the one node that Graph-IR has for it."""
