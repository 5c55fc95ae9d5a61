"""The tiers, for those who judge; the rules are `graph_ir.difficulty`."""

from graph_ir.difficulty import tier

__all__ = ["tier"]
