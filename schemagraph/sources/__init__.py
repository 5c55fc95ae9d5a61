"""One file per origin; each exports `SOURCE` (see `schemagraph.convert.source.Source`)."""
