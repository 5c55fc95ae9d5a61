"""SchemaGraph out: one file an engine, each with DDL, import configuration and data files."""
