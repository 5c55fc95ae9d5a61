"""One file per origin; each exports `SOURCE` (see `schemagraph.sources.base.Source`)."""
