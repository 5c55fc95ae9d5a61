"""What differs between two corpora (`graphmill diff`)."""
