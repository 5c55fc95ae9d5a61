"""What the rest of the dialect is made of: terms, groups, names, bindings."""
