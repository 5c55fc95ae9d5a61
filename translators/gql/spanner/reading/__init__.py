"""A reader of Spanner Graph's GQL: the shared grammar, with GoogleSQL's expressions."""
