"""Formats that sources are written in, parsed; several sources may share one."""
