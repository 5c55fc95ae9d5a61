"""What compiled SQL is made of: names, types, tables, typed expressions."""
