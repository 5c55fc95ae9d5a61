"""What a lexicon is not sure of, in the order of how much an answer unlocks."""
