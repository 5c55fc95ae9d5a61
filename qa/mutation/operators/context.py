"""What operators know of the place where a node stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graph_ir import nodes as ir
from graph_ir.walk import find
from schemagraph.model import SchemaGraph

type Variant = tuple[str, Any]
type Values = Callable[[str, str], Sequence[Any]]
"""Values of a property in the data, by the name of its node or edge type and its own."""


@dataclass(frozen=True)
class Context:
    """The schema, values of the data, the properties that the query reads of each variable, and
    whether the node stands under NOT, or in a column."""

    schema: SchemaGraph
    values: Values
    keys: Mapping[str, frozenset[str]] = field(default_factory=dict)
    negated: bool = False
    returned: bool = False

    def inside(self, node: ir.Node) -> Context:
        """The context of a node's parts."""
        negated = isinstance(node, ir.Not)
        returned = isinstance(node, ir.Item) or (self.returned and isinstance(node, ir.Expr))
        if (negated, returned) == (self.negated, self.returned):
            return self
        return replace(self, negated=negated, returned=returned)


def keys_read(statement: ir.Statement) -> dict[str, frozenset[str]]:
    """The properties that a statement reads of each variable, by its name."""
    keys_by_variable: dict[str, set[str]] = defaultdict(set)
    for prop in find(statement, ir.Prop):
        if isinstance(prop.base, ir.Var):
            keys_by_variable[prop.base.name].add(prop.key)
    return {name: frozenset(keys) for name, keys in keys_by_variable.items()}
