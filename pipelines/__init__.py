"""Wiring: configuration, stages, runner, flows, export and the command line."""
