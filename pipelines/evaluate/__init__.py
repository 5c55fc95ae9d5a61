"""`graphmill evaluate`: predictions of a corpus's queries, scored and reported."""
