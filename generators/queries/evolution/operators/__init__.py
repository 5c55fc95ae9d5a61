"""The operators of query evolution, one module a family, each with its `OPERATORS`."""

from functools import cache

from generators.queries.rewriting.operator import Operator
from graphmill.registry import Registry

FAMILIES: Registry[tuple[Operator, ...]] = Registry("operator family", __name__, "OPERATORS")


@cache
def all_operators() -> tuple[Operator, ...]:
    """Every operator, in the order of families and, within one, of its module."""
    return tuple(operator for name in FAMILIES.names() for operator in FAMILIES.get(name))
