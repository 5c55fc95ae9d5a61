"""Pages on which experts rate a sample of a corpus (`graphmill review`)."""
