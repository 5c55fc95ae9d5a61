"""The explorer of `graphmill serve`: an index of records and rejects, and the pages over it."""
