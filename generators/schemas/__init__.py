"""Schema authors: from a sub-domain of the taxonomy to a schema with distributions and words."""
