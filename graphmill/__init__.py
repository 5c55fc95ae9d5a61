"""The floor every layer stands on: errors, records, registry, seeds and files."""

__version__ = "0.1.0"
