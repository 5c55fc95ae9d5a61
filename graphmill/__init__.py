"""The floor every layer stands on: errors, records, registry, seeds and files."""
