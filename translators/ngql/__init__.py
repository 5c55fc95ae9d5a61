"""NebulaGraph's query language: grammar, checker, read-back, and what the `ngql` dialect needs."""
