"""Schemas and graphs of a domain: authored, run, measured, put in place."""
