"""Engines: one file each, exported as `ENGINE`."""
