"""Pages served on this machine: what guards them (`guard`), how they are made (`site`), and the
explorer of corpora (`explorer`)."""
