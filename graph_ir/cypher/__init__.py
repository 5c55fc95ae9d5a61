"""Cypher text to IR: lexer, LALR tables, builders, hints for wrong texts."""
